package dev.interlock.core.execution;

/** Whether a failure may pass by itself. */
public enum RetryClass {
    /** Throttling, a timeout, a store out of reach. */
    TRANSIENT,
    /** Bad configuration, quota, credentials. */
    PERMANENT
}
