package dev.interlock.postgres;

import dev.interlock.core.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.ds.common.BaseDataSource;

/**
 * Hears what the store pushes to this process, on a connection of its own. A push is a hint: whatever is missed while
 * the connection is down is found by looking, which is why everybody looks once when it is up again.
 */
final class Listener {
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** How long silence is believed before the connection is tested. */
    private static final int SILENCE_MILLIS = 30_000;

    private final DataSource source;
    private final String channel;
    private final Ports ports;
    private final Consumer<String> heard;
    private final Runnable listening;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile @Nullable Connection connection;
    private volatile boolean up;
    private volatile boolean closed;

    Listener(DataSource source, String channel, Ports ports, Consumer<String> heard, Runnable listening) {
        this.source = source;
        this.channel = channel;
        this.ports = ports;
        this.heard = heard;
        this.listening = listening;
    }

    boolean isUp() {
        return up;
    }

    void start() {
        if (!closed && started.compareAndSet(false, true)) {
            ports.tasks().listen("interlock-listener", this::run);
        }
    }

    private void run() {
        DataSource eager = eager(source);
        Duration pause = Duration.ofMillis(100);
        while (!closed) {
            try {
                listen(eager);
            } catch (SQLException e) {
                pause = up ? Duration.ofMillis(100) : pause.multipliedBy(2);
            } finally {
                up = false;
            }
            try {
                ports.pause(ports.jittered(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void listen(DataSource eager) throws SQLException {
        try (Connection mine = eager.getConnection();
                Statement statement = mine.createStatement()) {
            connection = mine;
            statement.execute("LISTEN " + channel);
            up = true;
            listening.run();
            PGConnection pg = mine.unwrap(PGConnection.class);
            while (!closed) {
                PGNotification[] all = pg.getNotifications(SILENCE_MILLIS);
                if (all == null || all.length == 0) {
                    statement.execute("SELECT 1");
                    continue;
                }
                for (PGNotification one : all) {
                    heard.accept(one.getParameter());
                }
            }
        }
    }

    /** With TLS in between the look cannot be answered early, so that is left as it is. */
    private static DataSource eager(DataSource source) {
        if (!(source instanceof BaseDataSource base) || base.getSocketFactory() != null || !isLocal(base)) {
            return source;
        }
        try {
            PGSimpleDataSource copy = new PGSimpleDataSource();
            copy.initializeFrom(base);
            copy.setSocketFactory(EagerSockets.class.getName());
            return copy;
        } catch (IOException | ClassNotFoundException e) {
            return source;
        }
    }

    private static boolean isLocal(BaseDataSource source) {
        if ("disable".equals(source.getSslMode())) {
            return true;
        }
        if (source.getSslMode() != null) {
            return false;
        }
        for (String host : source.getServerNames()) {
            try {
                if (!InetAddress.getByName(host).isLoopbackAddress()) {
                    return false;
                }
            } catch (UnknownHostException e) {
                return false;
            }
        }
        return true;
    }

    void close() {
        closed = true;
        Connection mine = connection;
        if (mine != null) {
            try {
                mine.abort(Runnable::run);
            } catch (SQLException e) {
                // It is gone already.
            }
        }
    }
}
