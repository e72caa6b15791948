package dev.interlock.memory;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.work.Claimed;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** An execution as the store keeps it, and what it knows beside it. */
final class ExecutionRecord {
    /** The order in which claims look at executions; those of one target stay in theirs. */
    static final Comparator<ExecutionRecord> CLAIM_ORDER = Comparator.comparingInt(
                    (ExecutionRecord record) -> -record.execution().request().priority())
            .thenComparing(ExecutionRecord::execution, Execution.ORDER);

    private Execution execution;
    private @Nullable Claimed claimed;
    private @Nullable String progress;
    private @Nullable Order cancellation;
    private @Nullable Instant deadSince;
    private boolean parked;

    /** Somebody wants the running attempt stopped. */
    record Order(String by, String reason) {}

    ExecutionRecord(Execution execution) {
        this.execution = execution;
    }

    String id() {
        return execution.id();
    }

    String target() {
        return execution.request().target();
    }

    Execution execution() {
        return execution;
    }

    /** Takes over what a verb of the execution came to; a refused one changes nothing. */
    Transition move(Transition transition) {
        if (transition instanceof Transition.Moved(Execution moved)) {
            execution = moved;
        }
        return transition;
    }

    void set(Execution changed) {
        execution = changed;
    }

    /** It stands in line behind its target; whether that is news. */
    boolean parks() {
        boolean news = !parked;
        parked = true;
        return news;
    }

    boolean isOpen() {
        return execution.ending() == null;
    }

    /** What the running attempt was claimed as; null when none runs. */
    @Nullable Claimed claimed() {
        Claimed last = claimed;
        return execution.running() == null || last == null
                ? null
                : new Claimed(execution, last.lock(), last.workflow(), last.resource());
    }

    void claimedAs(Claimed latest) {
        claimed = latest;
        parked = false;
        progress = null;
    }

    @Nullable String progress() {
        return progress;
    }

    void report(String text) {
        progress = text;
    }

    @Nullable Order cancellation() {
        return cancellation;
    }

    void cancel(Order order) {
        cancellation = order;
    }

    @Nullable Instant deadSince() {
        return deadSince;
    }

    void bury(Instant at) {
        deadSince = at;
    }

    /** It is no longer among the dead letters. */
    void exhume() {
        deadSince = null;
    }
}
