package dev.interlock.postgres;

import dev.interlock.core.Ports;

/**
 * Names for executions, made before anything is sent, so that a request whose answer was lost can be recognised. They
 * sort by time, roughly across processes and exactly within one: the newest stand together in every index.
 */
final class Ids {
    private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
    private static final int PER_MILLI = 1 << 15;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Ports.Ticker ticker;
    private final long startMillis;
    private final long startNanos;
    /** Tells this process's names from all others. */
    private final String process;

    private long millis;
    private int number;

    /**
     * @param now the store's clock, in milliseconds
     */
    Ids(Ports ports, long now) {
        ticker = ports.ticker();
        startNanos = ticker.nanos();
        startMillis = now;
        process = digits(ports.entropy().nextLong() >>> 34, 6)
                + digits(ports.entropy().nextLong() >>> 29, 7);
    }

    synchronized String next() {
        long now = startMillis + (ticker.nanos() - startNanos) / NANOS_PER_MILLI;
        if (now > millis) {
            millis = now;
            number = 0;
        } else if (++number == PER_MILLI) {
            millis++;
            number = 0;
        }
        return digits(millis, 10) + digits(number, 3) + process;
    }

    private static String digits(long value, int length) {
        char[] text = new char[length];
        long rest = value;
        for (int at = length - 1; at >= 0; at--) {
            text[at] = DIGITS[(int) (rest & 31)];
            rest >>>= 5;
        }
        return new String(text);
    }
}
