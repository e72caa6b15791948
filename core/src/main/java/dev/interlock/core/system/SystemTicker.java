package dev.interlock.core.system;

import dev.interlock.core.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The JVM's monotonic clock, corrected for the time the machine slept, which that clock may not count. A sleep shows as
 * a step of the wall clock against the monotonic one; so does somebody setting the wall clock. Where the kernel tells
 * the time since boot, sleep included, it decides between the two; elsewhere a step forward is taken for a sleep, which
 * at worst gives up a lock that was still ours.
 */
final class SystemTicker implements Ports.Ticker {
    private static final long STEP = 500_000_000L;
    private static final Path UPTIME = Path.of("/proc/uptime");

    private long wall = wallNanos();
    private long monotonic = System.nanoTime();
    private long boot = bootNanos();
    private volatile long slept;
    private volatile long skew = wall - monotonic;

    @Override
    public long nanos() {
        long now = System.nanoTime();
        if (Math.abs(wallNanos() - now - skew) > STEP) {
            step();
        }
        return now + slept;
    }

    private synchronized void step() {
        long newWall = wallNanos();
        long now = System.nanoTime();
        long newBoot = bootNanos();
        long gap = boot < 0 ? (newWall - wall) - (now - monotonic) : (newBoot - boot) - (now - monotonic);
        if (gap > STEP / 2) {
            slept += gap;
        }
        wall = newWall;
        monotonic = now;
        boot = newBoot;
        skew = newWall - now;
    }

    private static long wallNanos() {
        return System.currentTimeMillis() * 1_000_000L;
    }

    /** Time since boot including sleep, or -1 where there is no such clock. */
    private static long bootNanos() {
        try {
            String text = Files.readString(UPTIME, StandardCharsets.US_ASCII);
            int dot = text.indexOf('.');
            long hundredths = Long.parseLong(text.substring(0, dot) + text.substring(dot + 1, text.indexOf(' ')));
            return hundredths * 10_000_000L;
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }
}
