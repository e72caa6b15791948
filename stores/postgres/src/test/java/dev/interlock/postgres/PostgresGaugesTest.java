package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.Gauges;
import dev.interlock.core.work.Gauges.Level;
import dev.interlock.core.work.Gauges.Levels;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class PostgresGaugesTest {
    private static final String LEASE = """
            INSERT INTO interlock.lease (id, owner, "user", duration, renewed_at, expires_at)
            VALUES ('%s', 'alice', 'alice', '1 minute', now(), date_trunc('minute', now()) + interval '%d minutes')""";

    private static final String ALIVE = "00000000-0000-4000-8000-000000000001";
    private static final String OVER = "00000000-0000-4000-8000-000000000002";

    @ParameterizedTest
    @ValueSource(ints = {15, 18})
    void everything_is_counted_with_its_oldest(int major) throws SQLException {
        try (Server server = Server.start(major)) {
            PGSimpleDataSource database = server.database("gauges");
            try (PostgresLockStore store = PostgresLockStore.open(database, SystemPorts.create())) {
                Gauges gauges = new PostgresGauges(store);
                nothing_is_there(gauges.levels());
                write(
                        database,
                        LEASE.formatted(ALIVE, 5),
                        LEASE.formatted(OVER, -5),
                        executions("ready", "PENDING", "'READY'", "NULL", 3, 30),
                        executions("parked", "PENDING", "'PARKED'", "NULL", 2, 61),
                        executions("alive", "RUNNING", "NULL", "'" + ALIVE + "'", 2, 90),
                        executions("over", "RUNNING", "NULL", "'" + OVER + "'", 1, 20),
                        executions("dead", "FAILED", "NULL", "NULL", 4, 121));
                each_kind_has_its_number_and_its_oldest(gauges.levels());
                write(database, executions("many", "PENDING", "'READY'", "NULL", Gauges.MOST + 1, 20_000));
                a_long_line_is_counted_only_so_far(gauges.levels());
            }
        }
    }

    private static void nothing_is_there(Levels levels) {
        assertThat(levels.pending()).isEqualTo(Level.NONE);
        assertThat(levels.stale()).isEqualTo(Level.NONE);
        assertThat(levels.running()).isEmpty();
    }

    private static void each_kind_has_its_number_and_its_oldest(Levels levels) {
        assertThat(levels.pending().count()).isEqualTo(5);
        assertThat(levels.ready().count()).isEqualTo(3);
        assertThat(levels.dead().count()).isEqualTo(4);
        assertThat(levels.stale().count()).isEqualTo(1);
        assertThat(levels.running()).containsOnlyKeys("deploy");
        Level running = levels.running().getOrDefault("deploy", Level.NONE);
        assertThat(running.count()).isEqualTo(3);
        // Against the start of the dead, which is exact however long this test takes.
        Instant start = levels.dead().oldest().plus(Duration.ofMinutes(121));
        assertThat(levels.pending().oldest()).isEqualTo(start.minus(Duration.ofMinutes(61)));
        assertThat(levels.ready().oldest()).isEqualTo(start.minus(Duration.ofMinutes(30)));
        assertThat(levels.stale().oldest()).isEqualTo(start.minus(Duration.ofMinutes(5)));
        assertThat(running.oldest()).isEqualTo(start.minus(Duration.ofMinutes(90)));
        assertThat(levels.seenAt()).isAfterOrEqualTo(start);
    }

    private static void a_long_line_is_counted_only_so_far(Levels levels) {
        assertThat(levels.pending().count()).isEqualTo(Gauges.MOST);
        assertThat(levels.ready().count()).isEqualTo(Gauges.MOST);
    }

    /** So many of one kind, the first of them so many minutes old and each other a minute younger. */
    private static String executions(String name, String phase, String turn, String lease, int many, int minutes) {
        return """
            INSERT INTO interlock.execution (id, target, workflow, requester, on_busy, priority, fingerprint, submitted_at, phase,
                                             turn, lease, started_at, ended_at, dead_at)
            SELECT '%1$s-' || n, '%1$s-' || n, 'deploy', 'bob', 'QUEUE', 0, '', t.at, '%2$s', %3$s, %4$s,
                   CASE WHEN '%2$s' = 'RUNNING' THEN t.at END, CASE WHEN '%2$s' = 'FAILED' THEN t.at END,
                   CASE WHEN '%2$s' = 'FAILED' THEN t.at END
              FROM generate_series(1, %5$d) AS n
             CROSS JOIN LATERAL (SELECT date_trunc('minute', now()) - (%6$d - n + 1) * interval '1 minute' AS at) t""".formatted(name, phase, turn, lease, many, minutes);
    }

    /** In one transaction, so that all of it is of one instant. */
    private static void write(PGSimpleDataSource database, String... statements) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String one : statements) {
                statement.execute(one);
            }
            connection.commit();
        }
    }
}
