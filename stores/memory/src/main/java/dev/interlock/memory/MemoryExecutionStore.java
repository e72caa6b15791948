package dev.interlock.memory;

import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Case;
import dev.interlock.core.execution.Clearance;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.work.Cancellation;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Claims;
import dev.interlock.core.work.ExecutionFilter;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finished;
import dev.interlock.core.work.Running;
import dev.interlock.core.work.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Executions in a {@link Ledger}. Every verb is one step of its memory, and does its work by the verbs of core. */
public final class MemoryExecutionStore implements ExecutionStore {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Ledger ledger;
    private final Memory memory;

    public MemoryExecutionStore(Ledger ledger) {
        this.ledger = ledger;
        this.memory = ledger.memory();
    }

    @Override
    public List<Submission> submit(List<Request> requests) {
        return memory.step(
                now -> requests.stream().map(request -> submit(request, now)).toList());
    }

    Ledger ledger() {
        return ledger;
    }

    Submission submit(Request request, Instant now) {
        Execution arriving = Execution.submitted(ledger.nextId(), request, now);
        Submission answer = Submission.decide(arriving, withKey(request.idempotencyKey()), openTwin(request));
        if (!(answer instanceof Submission.New)) {
            return answer;
        }
        ExecutionRecord record = new ExecutionRecord(arriving);
        Ends.refusal(ledger.examine(Candidate.of(arriving), now).consequence(), arriving, now)
                .ifPresent(record::move);
        ledger.add(record);
        return new Submission.New(record.execution());
    }

    @Nullable Execution withKey(@Nullable String key) {
        return key == null
                ? null
                : StreamSupport.stream(ledger.records().spliterator(), false)
                        .map(ExecutionRecord::execution)
                        .filter(execution -> key.equals(execution.request().idempotencyKey()))
                        .findFirst()
                        .orElse(null);
    }

    private @Nullable Execution openTwin(Request request) {
        return ledger.of(request.target()).stream()
                .filter(record -> record.isOpen()
                        && record.execution().request().fingerprint().equals(request.fingerprint()))
                .map(ExecutionRecord::execution)
                .min(Execution.ORDER)
                .orElse(null);
    }

    @Override
    public Claims claim(Claimant claimant, int most) {
        return memory.step(now -> new Claiming(ledger, claimant, now).take(most));
    }

    @Override
    public Optional<Duration> untilDue() {
        return memory.step(now -> StreamSupport.stream(ledger.records().spliterator(), false)
                .filter(record -> record.execution().phase() == Phase.PENDING)
                .map(record -> untilDue(record.execution(), now))
                .min(Comparator.naturalOrder()));
    }

    /** What else it may wait for is only found out by looking again. */
    private static Duration untilDue(Execution pending, Instant now) {
        Instant next = pending.nextAttemptAt();
        return next != null && next.isAfter(now) ? Duration.between(now, next) : LOOK_AGAIN;
    }

    @Override
    public List<Running> running(Claimant claimant) {
        return memory.step(now -> new Claiming(ledger, claimant, now).running());
    }

    @Override
    public List<Transition> finish(List<Finish> finishes) {
        return memory.step(now -> finish(finishes, now));
    }

    private List<Transition> finish(List<Finish> finishes, Instant now) {
        return finishes.stream()
                .map(finish -> new Finishing(ledger, now).finish(finish))
                .toList();
    }

    @Override
    public Finished finish(List<Finish> finishes, Claimant claimant, int most) {
        Set<String> targets = finishes.stream().map(Finish::target).collect(Collectors.toSet());
        return memory.step(
                now -> new Finished(finish(finishes, now), new Claiming(ledger, claimant, now).inherit(targets, most)));
    }

    @Override
    public Cancellation cancel(String execution, String by, String reason) {
        return memory.step(now -> {
            ExecutionRecord record = ledger.record(execution);
            if (record == null) {
                return new Cancellation.Unknown(execution);
            }
            if (!record.isOpen()) {
                return new Cancellation.AlreadyEnded(record.execution());
            }
            if (record.execution().running() != null) {
                record.cancel(new ExecutionRecord.Order(by, reason));
                ledger.tellWorkers();
                return new Cancellation.Stopping(record.execution());
            }
            record.move(record.execution().cancel(now, by, reason));
            new Finishing(ledger, now).leftPending(record);
            return new Cancellation.Cancelled(record.execution());
        });
    }

    @Override
    public void report(String execution, long token, String progress) {
        memory.step(now -> {
            ExecutionRecord record = ledger.record(execution);
            Claimed running = record == null ? null : record.claimed();
            if (record != null && running != null && running.token() == token) {
                record.report(progress);
            }
            return now;
        });
    }

    @Override
    public Optional<Standing> find(String execution) {
        return memory.step(now -> Optional.ofNullable(ledger.record(execution)).map(record -> standing(record, now)));
    }

    @Override
    public Page<Standing> list(ExecutionFilter filter, Page.Request page) {
        return memory.step(now -> {
            String after = page.after();
            Comparator<Execution> newestFirst = Execution.ORDER.reversed();
            Execution last = after == null ? null : known(after);
            List<Standing> rest = StreamSupport.stream(ledger.records().spliterator(), false)
                    .filter(record -> accepts(filter, record))
                    .filter(record -> last == null || newestFirst.compare(record.execution(), last) > 0)
                    .sorted(Comparator.comparing(ExecutionRecord::execution, newestFirst))
                    .limit(page.size() + 1L)
                    .map(record -> standing(record, now))
                    .toList();
            return rest.size() <= page.size()
                    ? new Page<>(rest, null)
                    : new Page<>(
                            rest.subList(0, page.size()),
                            rest.get(page.size() - 1).execution().id());
        });
    }

    private Execution known(String id) {
        ExecutionRecord record = ledger.record(id);
        if (record == null) {
            throw new IllegalArgumentException("There is no page after '" + id + "'.");
        }
        return record.execution();
    }

    private static boolean accepts(ExecutionFilter filter, ExecutionRecord record) {
        Request request = record.execution().request();
        return filter.phases().contains(record.execution().phase())
                && isOrAny(filter.target(), request.target())
                && isOrAny(filter.workflow(), request.workflow())
                && isOrAny(filter.requester(), request.requester())
                && (!filter.dead() || record.deadSince() != null);
    }

    private static boolean isOrAny(@Nullable String wanted, String actual) {
        return wanted == null || wanted.equals(actual);
    }

    Standing standing(ExecutionRecord record, Instant now) {
        ExecutionRecord.Order order = record.cancellation();
        boolean runs = record.execution().running() != null;
        return new Standing(
                record.execution(),
                position(record),
                runs ? record.progress() : null,
                runs && order != null ? order.by() : null,
                record.deadSince(),
                now);
    }

    private int position(ExecutionRecord record) {
        if (!ledger.pending().contains(record)) {
            return 0;
        }
        return 1
                + (int) ledger.of(record.target()).stream()
                        .filter(other -> ledger.pending().contains(other)
                                && Execution.ORDER.compare(other.execution(), record.execution()) < 0)
                        .count();
    }

    @Override
    public Case examine(Candidate candidate) {
        return memory.step(now -> ledger.examine(candidate, now));
    }

    @Override
    public List<Execution> clear(LockName target, String by, String reason) {
        return memory.step(now -> {
            List<Execution> cleared = new ArrayList<>();
            for (ExecutionRecord record : ledger.of(target.value())) {
                if (record.execution().clear(new Clearance(by, reason, now))
                        instanceof Clearance.Answer.Cleared(Execution execution)) {
                    record.set(execution);
                    cleared.add(execution);
                }
            }
            ledger.tellWorkers();
            return cleared;
        });
    }

    @Override
    public void onWork(Runnable listener) {
        ledger.listen(listener);
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
