package dev.interlock.memory;

import dev.interlock.core.execution.Phase;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Gauges;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Counts what is in a {@link Ledger}. */
public final class MemoryGauges implements Gauges {
    private final Ledger ledger;

    public MemoryGauges(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public Levels levels() {
        return ledger.memory().step(this::at);
    }

    private Levels at(Instant now) {
        return new Levels(
                now,
                level(pending().map(record -> record.execution().submittedAt())),
                level(pending()
                        .filter(record -> isReady(record, now))
                        .map(record -> record.execution().submittedAt())),
                level(times(ExecutionRecord::deadSince)),
                level(times(record -> staleSince(record, now))),
                running());
    }

    private Stream<ExecutionRecord> all() {
        return StreamSupport.stream(ledger.records().spliterator(), false);
    }

    private Stream<ExecutionRecord> pending() {
        return all().filter(record -> record.execution().phase() == Phase.PENDING);
    }

    private Stream<Instant> times(Function<ExecutionRecord, @Nullable Instant> time) {
        return all().map(time).filter(Objects::nonNull);
    }

    /** Nobody works on its target, nobody is ahead of it, and it does not wait for a later time. */
    private boolean isReady(ExecutionRecord record, Instant now) {
        Instant next = record.execution().nextAttemptAt();
        boolean isFirst = ledger.of(record.target()).stream()
                .filter(ExecutionRecord::isOpen)
                .findFirst()
                .filter(record::equals)
                .isPresent();
        return isFirst && (next == null || !next.isAfter(now));
    }

    private @Nullable Instant staleSince(ExecutionRecord record, Instant now) {
        Claimed claimed = record.claimed();
        Instant over = claimed == null ? null : ledger.overAt(claimed);
        return over == null || over.isAfter(now) ? null : over;
    }

    private Map<String, Level> running() {
        Map<String, Level> running = new HashMap<>();
        all().map(ExecutionRecord::claimed)
                .filter(Objects::nonNull)
                .forEach(claimed -> running.merge(
                        claimed.execution().request().workflow(),
                        new Level(1, claimed.attempt().startedAt()),
                        MemoryGauges::sum));
        return running;
    }

    private static Level level(Stream<Instant> times) {
        List<Instant> counted = times.limit(MOST).toList();
        return new Level(
                counted.size(), counted.stream().min(Instant::compareTo).orElse(null));
    }

    private static Level sum(Level one, Level other) {
        Instant oldest = Stream.of(one, other)
                .map(Level::oldest)
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElse(null);
        return new Level(one.count() + other.count(), oldest);
    }
}
