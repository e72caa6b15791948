package dev.interlock.core;

/** The answer to a release. */
public sealed interface Release permits Release.Released, Lost {
    /** The grant is over, now or since an earlier release of the same grant. */
    record Released() implements Release {}
}
