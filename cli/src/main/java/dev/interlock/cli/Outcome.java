package dev.interlock.cli;

/**
 * How this process is to end.
 *
 * @param code the exit code
 * @param signal the signal to die of instead, as the command under {@code run} did; 0 for none
 */
public record Outcome(int code, int signal) {
    static Outcome exit(int code) {
        return new Outcome(code, 0);
    }
}
