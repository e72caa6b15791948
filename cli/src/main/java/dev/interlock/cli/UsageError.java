package dev.interlock.cli;

/** The command line, or what else the user configured, cannot be understood. The message is one sentence. */
public final class UsageError extends RuntimeException {
    public UsageError(String sentence) {
        super(sentence);
    }
}
