package dev.interlock.core.admission;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a rule that refuses turns green. */
public sealed interface Ends {
    /** At that instant, if nothing happens before. */
    record At(Instant instant) implements Ends {}

    enum Otherwise implements Ends {
        /** When somebody's work ends or a state changes; nobody can tell when. */
        ON_CHANGE,
        /** When a person has looked and cleared it. */
        NEEDS_REVIEW,
        /** Never: the request itself is wrong. */
        NEVER
    }

    /** Null when nobody can tell. */
    default @Nullable Instant instant() {
        return switch (this) {
            case At(Instant instant) -> instant;
            case Otherwise other -> null;
        };
    }
}
