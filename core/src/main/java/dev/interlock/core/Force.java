package dev.interlock.core;

/**
 * A person's order to end a grant.
 *
 * @param seenToken the token that the person saw, so that a newer holder is never hit
 * @param now do not wait for the holder to stop
 */
public record Force(LockName name, long seenToken, String actor, String reason, boolean now) {
    private static final int MAX_REASON = 1000;
    private static final int MAX_ACTOR = 256;

    public Force {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("A forced release needs a reason.");
        }
        if (actor.isBlank()) {
            throw new IllegalArgumentException("A forced release needs to know who orders it.");
        }
        Text.checkProse("The reason of a forced release", reason, MAX_REASON);
        Text.checkLine("The name of whoever orders a forced release", actor, MAX_ACTOR);
    }
}
