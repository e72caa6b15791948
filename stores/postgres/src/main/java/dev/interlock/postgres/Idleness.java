package dev.interlock.postgres;

import dev.interlock.core.Ports;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether this process wants to be called when there is work. Whoever submits looks whether somebody is idle before it
 * commits, so that a process can become idle in between and look for the last time before that commit: such a call is
 * missed. Hence one more look soon after, and the worker's own looks now and then.
 */
final class Idleness {
    /** Neither waits for the disk: what a crash of the server forgets is said again. */
    private static final String REST = """
            INSERT INTO interlock.idle
            SELECT ?, clock_timestamp() + ? * interval '1 microsecond' FROM set_config('synchronous_commit', 'off', true)
            ON CONFLICT (process) DO UPDATE SET until = excluded.until""";

    private static final String RISE = """
            DELETE FROM interlock.idle USING set_config('synchronous_commit', 'off', true)
             WHERE process = ? OR until < clock_timestamp()""";

    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);
    /** Who finds nothing every few milliseconds stays idle, instead of saying so again each time. */
    private static final Duration CALM = Duration.ofMillis(250);

    private static final Duration LAST_LOOK = Duration.ofMillis(100);

    private final String process;
    private final Ports ports;
    private final Runnable look;
    private final AtomicBoolean idle = new AtomicBoolean();
    private volatile long saidAt;
    private volatile long restedAt;

    /**
     * @param look what a call leads to
     */
    Idleness(String process, Ports ports, Runnable look) {
        this.process = process;
        this.ports = ports;
        this.look = look;
    }

    /** Nothing was found. True when that is news to the store, so that one must look again. */
    boolean rest(Connection connection) throws SQLException {
        boolean news = idle.compareAndSet(false, true);
        long now = ports.ticker().nanos();
        restedAt = now;
        if (!news && now - saidAt < FORGOTTEN_AFTER.dividedBy(2).toNanos()) {
            return false;
        }
        try (PreparedStatement statement = connection.prepareStatement(REST)) {
            statement.setString(1, process);
            statement.setLong(2, Claiming.micros(FORGOTTEN_AFTER));
            statement.executeUpdate();
        }
        saidAt = now;
        if (news) {
            ports.timers().after(LAST_LOOK, look);
        }
        return news;
    }

    /** Something was found. */
    void rise(Connection connection) throws SQLException {
        if (ports.ticker().nanos() - restedAt > CALM.toNanos() && idle.compareAndSet(true, false)) {
            try (PreparedStatement statement = connection.prepareStatement(RISE)) {
                statement.setString(1, process);
                statement.executeUpdate();
            }
        }
    }
}
