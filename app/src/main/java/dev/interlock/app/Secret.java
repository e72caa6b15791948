package dev.interlock.app;

/** A text that must not appear in any output: it shows as a mask, wherever it gets to. */
record Secret(String revealed) {
    @Override
    public String toString() {
        return "***";
    }
}
