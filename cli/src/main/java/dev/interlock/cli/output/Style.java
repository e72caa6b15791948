package dev.interlock.cli.output;

/** What a colour means; shown on terminals that want colours. */
public enum Style {
    PLAIN(""),
    GOOD("\033[32m"),
    WARN("\033[33m"),
    BAD("\033[31m"),
    HEADING("\033[1m");

    private static final String RESET = "\033[0m";

    private final String begin;

    Style(String begin) {
        this.begin = begin;
    }

    public String paint(String text, boolean colours) {
        return colours && this != PLAIN ? begin + text + RESET : text;
    }
}
