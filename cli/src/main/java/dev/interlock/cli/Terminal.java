package dev.interlock.cli;

import java.io.PrintStream;

/**
 * Where answers and talk go.
 *
 * @param out data, and nothing else
 * @param err everything that is said about it
 * @param columns how wide the terminal behind {@code out} or {@code err} is; 0 when there is none
 */
public record Terminal(
        PrintStream out, PrintStream err, boolean outIsTerminal, boolean errIsTerminal, int columns, boolean colours) {

    boolean coloursOut() {
        return colours && outIsTerminal;
    }

    int columnsOut() {
        return outIsTerminal ? columns : 0;
    }
}
