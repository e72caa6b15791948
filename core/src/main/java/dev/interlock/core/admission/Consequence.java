package dev.interlock.core.admission;

import dev.interlock.core.execution.OnBusy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What becomes of a pending execution. */
public sealed interface Consequence {
    record Start() implements Consequence {}

    /**
     * It keeps its place in line.
     *
     * @param until when to look again at the latest; null when only a change can help
     */
    record Wait(Reason reason, @Nullable Instant until) implements Consequence {}

    record Skip(Reason reason) implements Consequence {}

    record Fail(Reason reason) implements Consequence {}

    /**
     * Whoever waits behind work that goes on is judged when that work ends: until then states and failures may change.
     * With nothing going on, only time and the end of a hold open a target by themselves; to wait for anything else
     * would also keep back whoever could put it right, such as the destruction of what has failed.
     */
    static Consequence of(Reason reason, Case of) {
        if (reason.ends() == Ends.Otherwise.NEVER) {
            return new Fail(reason);
        }
        if (of.candidate().request().onBusy() == OnBusy.REFUSE) {
            return new Skip(reason);
        }
        if (Rules.judge(Rule.RESOURCE_BUSY, of) instanceof Ruling.Red(Reason busy)) {
            return new Wait(reason, busy.ends().instant());
        }
        if (reason instanceof Reason.InvalidState state && state.under() != null) {
            return new Wait(reason, null);
        }
        Instant until = reason.ends().instant();
        return until == null ? new Skip(reason) : new Wait(reason, until);
    }
}
