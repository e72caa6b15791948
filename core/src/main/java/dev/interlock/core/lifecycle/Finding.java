package dev.interlock.core.lifecycle;

/** One thing that is wrong with a declaration: on which line, what, and what was probably meant. */
public record Finding(int line, String sentence) {
    /** As compilers say it, so that editors find the place. */
    public String in(String file) {
        return line == 0 ? file + ": " + sentence : file + ":" + line + ": " + sentence;
    }
}
