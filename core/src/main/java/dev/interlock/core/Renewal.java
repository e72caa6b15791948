package dev.interlock.core;

/** The answer to the renewal of one lock. */
public sealed interface Renewal permits Renewal.Renewed, Lost {
    record Renewed(Lock lock) implements Renewal {}
}
