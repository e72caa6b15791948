package dev.interlock.memory;

import dev.interlock.core.janitor.Census;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.janitor.Sight;
import dev.interlock.core.work.Claimed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What there is to put right at one instant among all that runs, found without changing anything. */
final class Looking {
    private final Ledger ledger;
    private final MemoryWorkers workers;
    private final Patience patience;
    private final Instant now;

    Looking(Ledger ledger, MemoryWorkers workers, Patience patience, Instant now) {
        this.ledger = ledger;
        this.workers = workers;
        this.patience = patience;
        this.now = now;
    }

    Sight look(int most) {
        List<Finding> found = new ArrayList<>();
        found.addAll(some(running(), this::expired, most));
        found.addAll(some(running(), this::lockLost, most));
        found.addAll(some(running(), this::overdue, most));
        found.addAll(some(running(), this::runningLong, most));
        found.addAll(some(workers.gone(patience.grace(), now).stream(), Finding.GoneWorker::new, most));
        return new Sight(found, census());
    }

    static <T> List<Finding> some(Stream<T> all, Function<T, @Nullable Finding> look, int most) {
        return all.map(look).filter(Objects::nonNull).limit(most).toList();
    }

    private Stream<ExecutionRecord> records() {
        return StreamSupport.stream(ledger.records().spliterator(), false);
    }

    private Stream<Claimed> running() {
        return records().map(ExecutionRecord::claimed).filter(Objects::nonNull);
    }

    private Census census() {
        List<Instant> over = running()
                .map(ledger::overAt)
                .filter(end -> end != null && !end.isAfter(now))
                .sorted()
                .toList();
        Duration longest = running()
                .map(claimed -> claimed.workflow().policy().lease())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        Instant first = over.isEmpty() ? null : over.getFirst();
        return new Census(now, Instant.EPOCH, null, (int) running().count(), over.size(), first, longest);
    }

    private @Nullable Finding expired(Claimed claimed) {
        Instant over = ledger.overAt(claimed);
        return over == null || !hasPassed(over.plus(patience.grace()))
                ? null
                : new Finding.ExpiredAttempt(
                        id(claimed), target(claimed), number(claimed), claimed.token(), owner(claimed), over);
    }

    private @Nullable Finding lockLost(Claimed claimed) {
        boolean lost = ledger.overAt(claimed) == null
                && hasPassed(claimed.attempt().startedAt().plus(patience.lockLost()));
        return lost
                ? new Finding.LockStateLost(
                        id(claimed), target(claimed), number(claimed), claimed.token(), owner(claimed))
                : null;
    }

    private @Nullable Finding overdue(Claimed claimed) {
        Duration timeout = claimed.workflow().policy().timeout();
        ExecutionRecord record = ledger.record(id(claimed));
        return timeout == null
                        || !isAlive(claimed)
                        || record == null
                        || record.cancellation() != null
                        || !hasPassed(
                                claimed.attempt().startedAt().plus(timeout).plus(patience.grace()))
                ? null
                : new Finding.Overdue(id(claimed), target(claimed), number(claimed), claimed.token(), timeout);
    }

    private @Nullable Finding runningLong(Claimed claimed) {
        Instant since = claimed.attempt().startedAt();
        Finding told = new Finding.RunningLong(id(claimed), target(claimed), number(claimed), claimed.token(), since);
        return isAlive(claimed) && hasPassed(since.plus(patience.runningLong())) && !ledger.isTold(told) ? told : null;
    }

    private boolean isAlive(Claimed claimed) {
        Instant over = ledger.overAt(claimed);
        return over != null && over.isAfter(now);
    }

    private boolean hasPassed(Instant instant) {
        return !instant.isAfter(now);
    }

    private static String id(Claimed claimed) {
        return claimed.execution().id();
    }

    private static String target(Claimed claimed) {
        return claimed.lock().name().value();
    }

    private static int number(Claimed claimed) {
        return claimed.attempt().number();
    }

    private static String owner(Claimed claimed) {
        return claimed.attempt().owner();
    }
}
