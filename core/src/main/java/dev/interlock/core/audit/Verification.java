package dev.interlock.core.audit;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a trail is what it was when it was sealed. */
public sealed interface Verification {
    Tally tally();

    record Whole(Tally tally) implements Verification {}

    /**
     * It was tampered with.
     *
     * @param flaws the first of them
     * @param all how many there are
     */
    record Flawed(List<Flaw> flaws, long all, Tally tally) implements Verification {
        public Flawed {
            flaws = List.copyOf(flaws);
        }
    }

    /**
     * What was looked at.
     *
     * @param events under seals that still have theirs
     * @param pruned how many were under seals whose events were pruned
     * @param unsealed events that no seal covers yet, of which nothing can be said
     * @param hash of the last seal, as {@code sealedAt}: null when there is none
     */
    record Tally(
            long seals,
            long events,
            long pruned,
            long unsealed,
            @Nullable Instant sealedAt,
            @Nullable String hash) {}
}
