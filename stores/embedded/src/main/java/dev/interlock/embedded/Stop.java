package dev.interlock.embedded;

/** How a request to stop ended. */
public sealed interface Stop {
    /** Sessions were cut, everything was written, nothing is left to recover. */
    record Clean(long pid) implements Stop {}

    /** It did not stop in time and was made to; the next start recovers, nothing committed is lost. */
    record Forced(long pid) implements Stop {}

    record NotRunning() implements Stop {}
}
