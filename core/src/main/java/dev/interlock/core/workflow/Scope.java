package dev.interlock.core.workflow;

/** Whose past counts for a request. */
public enum Scope {
    /** Everything that was done to the target. */
    TARGET,
    /** Only what the same workflow did to it. */
    WORKFLOW
}
