package dev.interlock.cli;

import dev.interlock.cli.text.Printable;
import java.io.PrintStream;

/** What is said beside the answer, on the error stream, recognisably ours among a command's own lines. */
final class Talk {
    private static final String PREFIX = "interlock: ";

    private final PrintStream err;
    private final boolean quiet;

    Talk(PrintStream err, boolean quiet) {
        this.err = err;
        this.quiet = quiet;
    }

    boolean isQuiet() {
        return quiet;
    }

    /** Good to know. */
    void say(String sentence) {
        if (!quiet) {
            complain(sentence);
        }
    }

    /** Must be known. */
    void complain(String sentence) {
        err.println(PREFIX + Printable.lines(sentence));
        err.flush();
    }
}
