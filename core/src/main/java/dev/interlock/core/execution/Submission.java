package dev.interlock.core.execution;

import org.jspecify.annotations.Nullable;

/** What becomes of a request that arrives. */
public sealed interface Submission {
    /** Nothing like it is there: it becomes an execution of its own; one that was refused has ended already. */
    record New(Execution execution) implements Submission {}

    /** It was submitted before, under the same idempotency key; that execution is the answer. */
    record Repeated(Execution first) implements Submission {}

    /** Its idempotency key belongs to a request with another body. */
    record KeyReused(Execution first) implements Submission {}

    /** An identical request is open; it serves both. */
    record Joined(Execution open) implements Submission {}

    /**
     * Compares a request with what is there.
     *
     * @param arriving the execution that the request becomes if nothing serves it
     * @param sameKey the execution that was submitted under the request's idempotency key, whatever became of it
     * @param open the oldest open execution with the request's fingerprint
     */
    static Submission decide(Execution arriving, @Nullable Execution sameKey, @Nullable Execution open) {
        Request request = arriving.request();
        if (sameKey != null) {
            return request.hasSameBody(sameKey.request()) ? new Repeated(sameKey) : new KeyReused(sameKey);
        }
        if (request.onBusy() == OnBusy.JOIN && open != null && isServedBy(open, request)) {
            return new Joined(open);
        }
        return new New(arriving);
    }

    private static boolean isServedBy(Execution open, Request request) {
        return !open.phase().isTerminal() && open.request().fingerprint().equals(request.fingerprint());
    }

    /** The execution that answers the request, whether it is new or not. */
    default Execution execution() {
        return switch (this) {
            case New(Execution execution) -> execution;
            case Repeated(Execution first) -> first;
            case KeyReused(Execution first) -> first;
            case Joined(Execution open) -> open;
        };
    }

    default String sentence() {
        return switch (this) {
            case New(Execution execution) -> accepted(execution);
            case Repeated(Execution first) -> "Submitted before, as execution " + first.id() + ".";
            case KeyReused(Execution first) ->
                "Refused: the idempotency key belongs to execution %s, which asked for something else (%s on '%s'). Use a new key."
                        .formatted(
                                first.id(),
                                first.request().workflow(),
                                first.request().target());
            case Joined(Execution open) ->
                "Joined execution " + open.id() + ", which does the same and is "
                        + open.phase().word() + ".";
        };
    }

    private static String accepted(Execution execution) {
        return switch (execution.ending()) {
            case Ending.Skipped skipped -> skipped.sentence();
            case Ending.Failed failed -> failed.failure().message();
            case null, default -> "Accepted as execution " + execution.id() + ".";
        };
    }
}
