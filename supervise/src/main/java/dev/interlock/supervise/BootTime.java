package dev.interlock.supervise;

import java.time.Duration;

/**
 * A moment on the clock that starts with the host and goes on while it sleeps. macOS shows no such clock to a shell script,
 * so there it is the wall clock.
 */
public record BootTime(long centiseconds) implements Comparable<BootTime> {
    public static BootTime now() {
        if (Os.HERE != Os.LINUX) {
            return new BootTime(System.currentTimeMillis() / 10);
        }
        String uptime = Proc.text("/proc/uptime");
        int point = uptime.indexOf('.');
        long seconds = Long.parseLong(uptime, 0, point, 10);
        return new BootTime(seconds * 100 + Long.parseLong(uptime, point + 1, point + 3, 10));
    }

    public BootTime plus(Duration duration) {
        return new BootTime(centiseconds + duration.toMillis() / 10);
    }

    public BootTime minus(Duration duration) {
        return new BootTime(centiseconds - duration.toMillis() / 10);
    }

    @Override
    public int compareTo(BootTime other) {
        return Long.compare(centiseconds, other.centiseconds);
    }
}
