package dev.interlock.cli;

import dev.interlock.core.Refusal;

/** Which exit code a refusal gets. */
final class Refusals {
    private Refusals() {}

    static int code(Refusal refusal) {
        return switch (refusal) {
            case Refusal.WaitedTooLong waited -> Exit.WAITED_TOO_LONG;
            case Refusal.Busy busy -> Exit.REFUSED;
            case Refusal.Cooling cooling -> Exit.REFUSED;
            case Refusal.QueueFull full -> Exit.REFUSED;
            case Refusal.Cancelled cancelled -> Exit.REFUSED;
        };
    }
}
