package dev.interlock.core.admission;

import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.workflow.Scope;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was done to a target, oldest first. Every counter is read from it; none is kept beside it.
 *
 * <p>Whatever left no mark on the target is not in it: skipped and malformed requests, and what was cancelled before
 * its work began. So none of them can hide what came before.
 */
public record History(List<Entry> entries) {
    /** At one instant failures come last: nothing resets a counter unless it certainly came after. */
    private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::endedAt)
            .thenComparing(entry -> entry.failure() != null)
            .thenComparing(Entry::execution);

    public static final History NONE = new History(List.of());

    /**
     * One execution that has ended.
     *
     * @param failure null when it completed
     * @param message why it failed; empty when it did not
     * @param cleared a person has cleared its failure
     */
    public record Entry(
            String execution,
            String workflow,
            String requester,
            Instant endedAt,
            @Nullable FailureKind failure,
            String message,
            boolean cleared) {
        boolean completed() {
            return failure == null;
        }

        boolean leftDoubt() {
            return failure != null && failure.leavesDoubt();
        }
    }

    public History {
        entries = entries.stream().sorted(ORDER).toList();
    }

    public static History of(Collection<Execution> executions) {
        return new History(
                executions.stream().map(History::entry).filter(Objects::nonNull).toList());
    }

    private static @Nullable Entry entry(Execution execution) {
        FailureKind kind = execution.gravestFailure();
        return switch (execution.ending()) {
            case null -> null;
            case Ending.Completed completed -> entry(execution, completed, null, "");
            // Without an attempt nothing failed but the request itself.
            case Ending.Failed failed ->
                kind == null
                        ? null
                        : entry(execution, failed, kind, failed.failure().message());
            case Ending.Cancelled cancelled ->
                kind == null || !kind.leavesDoubt()
                        ? null
                        : entry(execution, cancelled, kind, "cancelled by " + cancelled.by());
            case Ending.Skipped skipped -> null;
        };
    }

    private static Entry entry(Execution execution, Ending ending, @Nullable FailureKind kind, String message) {
        return new Entry(
                execution.id(),
                execution.request().workflow(),
                execution.request().requester(),
                ending.at(),
                kind,
                message,
                execution.clearance() != null);
    }

    /** What counts for a request of this workflow. */
    List<Entry> in(Scope scope, String workflow) {
        return scope == Scope.TARGET
                ? entries
                : entries.stream()
                        .filter(entry -> entry.workflow().equals(workflow))
                        .toList();
    }

    /**
     * Failures before the work began, since the last success or clearing; failures after that neither count nor reset.
     */
    List<Entry> failuresInARow(Scope scope, String workflow) {
        List<Entry> seen = in(scope, workflow);
        int from = 0;
        for (int at = 0; at < seen.size(); at++) {
            Entry entry = seen.get(at);
            if (entry.completed() || (!entry.leftDoubt() && entry.cleared())) {
                from = at + 1;
            }
        }
        return seen.subList(from, seen.size()).stream()
                .filter(entry -> !entry.leftDoubt())
                .toList();
    }

    @Nullable Entry lastSuccess(Scope scope, String workflow) {
        return in(scope, workflow).stream()
                .filter(Entry::completed)
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    /** What ended after the entry. */
    List<Entry> after(Entry entry) {
        return entries.subList(entries.indexOf(entry) + 1, entries.size());
    }
}
