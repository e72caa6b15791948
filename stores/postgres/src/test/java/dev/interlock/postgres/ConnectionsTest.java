package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class ConnectionsTest {
    private static Server server;
    private static PGSimpleDataSource database;
    private final AtomicLong nanos = new AtomicLong();
    private final Connections connections = new Connections(database, nanos::get);

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("connections");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void close() {
        connections.close();
    }

    @Test
    void what_a_burst_has_left_over_is_closed_when_it_has_not_been_used_for_a_while() throws SQLException {
        Connection[] both = twoAtOnce();

        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        Connection used = connections.with(connection -> connection);

        assertThat(both).contains(used);
        assertThat(used.isClosed()).isFalse();
        assertThat(both[0].isClosed()).isNotEqualTo(both[1].isClosed());
    }

    @Test
    void what_is_used_again_and_again_is_kept() throws SQLException {
        for (int burst = 0; burst < 10; burst++) {
            twoAtOnce();
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        }

        Connection[] both = twoAtOnce();

        assertThat(both[0].isClosed()).isFalse();
        assertThat(both[1].isClosed()).isFalse();
    }

    @Test
    void the_plans_of_a_session_of_our_own_stay_on_the_indexes() {
        String hashJoin = connections.with(connection -> {
            try (var statement = connection.createStatement();
                    var row = statement.executeQuery("SHOW enable_hashjoin")) {
                row.next();
                return row.getString(1);
            }
        });

        assertThat(hashJoin).isEqualTo("off");
        assertThat(connections.areOwnSessions()).isTrue();
    }

    private Connection[] twoAtOnce() {
        return connections.with(one -> connections.with(another -> new Connection[] {one, another}));
    }
}
