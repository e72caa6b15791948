package dev.interlock.core;

/** Why a holder has its lock no longer. */
public sealed interface Loss {
    enum Cause implements Loss {
        /** The lease ended before it was renewed. */
        EXPIRED,
        /** Another grant has followed. */
        SUPERSEDED,
        /** The lock had been released. */
        ALREADY_RELEASED,
        /** The grant reached its maximum hold. */
        HELD_TOO_LONG,
        /** The store does not know this grant: it was pruned, or the store has lost commits. */
        FORGOTTEN,
        /** The store did not confirm a renewal in time, so that the holder may not trust its lock any more. */
        UNCONFIRMED
    }

    /** A person ended the grant. */
    record ForcedBy(String actor, String reason) implements Loss {}

    /** The end of a sentence that begins with the lock's name: "prod/db is not yours any more: …". */
    default String sentence() {
        return switch (this) {
            case Cause.EXPIRED -> "its lease ended before it was renewed";
            case Cause.SUPERSEDED -> "it has been granted to another holder";
            case Cause.ALREADY_RELEASED -> "it had been released";
            case Cause.HELD_TOO_LONG -> "it reached its maximum hold time";
            case Cause.FORGOTTEN -> "the store does not know this grant";
            case Cause.UNCONFIRMED -> "the store did not confirm a renewal in time";
            case ForcedBy(String actor, String reason) -> "forced by " + actor + " (" + reason + ")";
        };
    }
}
