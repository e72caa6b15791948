package dev.interlock.core.admission;

/** The rules of admission, in the order in which they are asked. */
public enum Rule {
    /** Target, workflow and parameters are well formed. */
    INVALID_SPEC,
    /** The lifecycle allows this workflow in the resource's state. */
    INVALID_STATE,
    /** No failure is left that a person has to look at. */
    PREVIOUS_EXECUTION_FAILED,
    /** Not too many have failed in a row before their work began. */
    EXHAUSTED_RETRIES,
    /** The wait after the last of those is over. */
    BACKOFF,
    /** The wait after the last success is over. */
    COOLDOWN,
    /** No person holds the target for maintenance. */
    FROZEN,
    /** Nobody works on the target, and nobody is ahead. */
    RESOURCE_BUSY;

    /** The word for programs. Two kinds of waiting share one. */
    public String code() {
        return switch (this) {
            case INVALID_SPEC -> "InvalidSpec";
            case INVALID_STATE -> "InvalidState";
            case PREVIOUS_EXECUTION_FAILED -> "PreviousExecutionFailed";
            case EXHAUSTED_RETRIES -> "ExhaustedRetries";
            case BACKOFF, COOLDOWN -> "RecentlyRemediated";
            case FROZEN -> "Frozen";
            case RESOURCE_BUSY -> "ResourceBusy";
        };
    }

    /** The word for people, who want to tell all of them apart. */
    public String label() {
        return switch (this) {
            case BACKOFF -> code() + " (backoff)";
            case COOLDOWN -> code() + " (cooldown)";
            case INVALID_SPEC, INVALID_STATE, PREVIOUS_EXECUTION_FAILED, EXHAUSTED_RETRIES, FROZEN, RESOURCE_BUSY ->
                code();
        };
    }
}
