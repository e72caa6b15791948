package dev.interlock.memory;

import dev.interlock.core.Page;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.work.DeadLetters;
import dev.interlock.core.work.Standing;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Dead letters among the executions in a {@link Ledger}. */
public final class MemoryDeadLetters implements DeadLetters {
    private final MemoryExecutionStore executions;
    private final Ledger ledger;

    public MemoryDeadLetters(MemoryExecutionStore executions) {
        this.executions = executions;
        this.ledger = executions.ledger();
    }

    @Override
    public Page<Standing> list(Page.Request page) {
        return ledger.memory().step(now -> {
            String after = page.after();
            List<ExecutionRecord> rest = letters()
                    .filter(record -> after == null || place(record).compareTo(after) > 0)
                    .sorted(Comparator.comparing(MemoryDeadLetters::place))
                    .limit(page.size() + 1L)
                    .toList();
            List<ExecutionRecord> shown = rest.subList(0, Math.min(rest.size(), page.size()));
            return new Page<>(
                    shown.stream()
                            .map(record -> executions.standing(record, now))
                            .toList(),
                    rest.size() > page.size() ? place(shown.getLast()) : null);
        });
    }

    /** Sorts by the time of death, of one instant by id. */
    private static String place(ExecutionRecord dead) {
        Instant since = Objects.requireNonNull(dead.deadSince());
        return "%020d%09d:%s".formatted(since.getEpochSecond(), since.getNano(), dead.id());
    }

    private Stream<ExecutionRecord> letters() {
        return StreamSupport.stream(ledger.records().spliterator(), false).filter(record -> record.deadSince() != null);
    }

    @Override
    public Optional<Standing> find(String execution) {
        return executions.find(execution).filter(standing -> standing.deadSince() != null);
    }

    @Override
    public Requeued requeue(String execution, String by) {
        return ledger.memory().step(now -> {
            String key = "requeue:" + execution;
            ExecutionRecord dead = letter(execution);
            if (dead == null) {
                Execution before = executions.withKey(key);
                return before == null ? new NotDead(execution) : new Repeated(before);
            }
            Request again = dead.execution().request().withIdempotencyKey(key);
            Execution refused = refused(Execution.submitted(ledger.nextId(), again, now), now);
            if (refused != null) {
                return new Refused(new Submission.New(refused).sentence());
            }
            dead.exhume();
            return new Submitted(executions.submit(again, now).execution());
        });
    }

    /** What would become of it if admission refused it; null when it does not. */
    private @Nullable Execution refused(Execution arriving, Instant now) {
        return Ends.refusal(ledger.examine(Candidate.of(arriving), now).consequence(), arriving, now)
                .map(refusal -> refusal instanceof Transition.Moved(Execution moved) ? moved : arriving)
                .orElse(null);
    }

    @Override
    public Discarded discard(String execution, String by, String reason) {
        return ledger.memory().step(now -> {
            ExecutionRecord dead = letter(execution);
            if (dead == null) {
                return new NotDead(execution);
            }
            dead.exhume();
            return new Gone(execution);
        });
    }

    private @Nullable ExecutionRecord letter(String execution) {
        ExecutionRecord record = ledger.record(execution);
        return record == null || record.deadSince() == null ? null : record;
    }

    @Override
    public Backlog backlog() {
        return ledger.memory().step(now -> {
            List<Instant> since =
                    letters().map(ExecutionRecord::deadSince).sorted().toList();
            return new Backlog(since.size(), since.isEmpty() ? null : since.getFirst(), now);
        });
    }
}
