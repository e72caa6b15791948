package dev.interlock.core.execution;

/**
 * Chance that is the same every time it is asked. Times spread as if drawn at random, yet an instant that was told once
 * stays what it was, also for another process, and no store has to keep it.
 */
public final class Jitter {
    private Jitter() {}

    /** Somewhere in [0, 1), spread evenly over executions and numbers. */
    public static double of(String execution, int number) {
        long mixed = 0xCBF29CE484222325L;
        for (int at = 0; at < execution.length(); at++) {
            mixed = (mixed ^ execution.charAt(at)) * 0x100000001B3L;
        }
        mixed += number * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        mixed ^= mixed >>> 33;
        return (mixed >>> 11) * 0x1.0p-53;
    }
}
