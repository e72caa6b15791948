package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Gauges;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A hundred thousand executions are ready that no worker offers: nobody else may feel it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class ReadyRowsTest {
    private static final Catalogue DECLARED =
            new Catalogue(Map.of("deploy", Workflow.plain("deploy"), "backup", Workflow.plain("backup")), Map.of());
    private static final int UNOFFERED = 100_000;

    private static final String FLOOD = """
            INSERT INTO interlock.execution (id, target, workflow, requester, on_busy, priority, fingerprint, submitted_at, phase, turn)
            SELECT 'flood-' || n, 'flood-' || n, 'unoffered-' || n % 10, 'bob', 'QUEUE', 7, '', now() - interval '1 day', 'PENDING', 'READY'
              FROM generate_series(1, 100000) AS n""";
    private static final String READ = """
            SELECT coalesce(seq_tup_read, 0) AS scanned, coalesce(idx_tup_fetch, 0) AS fetched
              FROM pg_stat_xact_user_tables WHERE relid = 'interlock.execution'::regclass""";

    private static Server server;
    private static PostgresWork work;

    /** How many rows of executions a transaction has looked at: one after the other, and by an index. */
    private record Rows(long scanned, long fetched) {}

    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    @BeforeAll
    static void flood() {
        server = Server.start(18);
        PGSimpleDataSource database = server.database("ready_rows");
        PostgresWork.empty(database, DECLARED);
        work = PostgresWork.open(database, DECLARED);
        Server.execute(database, FLOOD, "ANALYZE interlock.execution");
    }

    @AfterAll
    static void stop() {
        work.close();
        server.close();
    }

    @Test
    void a_claim_looks_only_at_what_its_worker_offers() {
        submit("deploy", 20);
        submit("backup", 20);

        Rows read = read(connection -> assertThat(claim(connection, 16)).hasSize(16));

        assertThat(read.scanned()).isZero();
        assertThat(read.fetched()).isLessThan(1000);
    }

    /** The canary: the same when there is no index that knows workflows. */
    @Test
    void a_claim_that_passes_over_what_nobody_offers_is_noticed() {
        submit("deploy", 20);

        Rows read = read(connection -> {
            execute(
                    connection,
                    "DROP INDEX interlock.execution_ready",
                    "CREATE INDEX execution_ready ON interlock.execution ((-priority::bigint), submitted_at, id) WHERE turn = 'READY'");
            claim(connection, 16);
        });

        assertThat(read.scanned() + read.fetched()).isGreaterThan(UNOFFERED);
    }

    @Test
    void what_is_oldest_comes_first_whatever_its_workflow() {
        for (String workflow : List.of("backup", "deploy", "deploy", "backup", "deploy", "deploy")) {
            submit(workflow, 1);
        }
        List<String> oldest = oldest(4);

        read(connection -> assertThat(claim(connection, 4))
                .extracting(claimed -> claimed.execution().id())
                .containsExactlyInAnyOrderElementsOf(oldest));
    }

    @Test
    void gauges_look_at_a_bounded_part() {
        Rows read = read(connection ->
                assertThat(PostgresGauges.read(connection).ready().count()).isEqualTo(Gauges.MOST));

        assertThat(read.scanned()).isZero();
        assertThat(read.fetched()).isLessThan(3L * Gauges.MOST);
    }

    private static List<String> oldest(int many) {
        return work.locks().connections().with(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT id FROM interlock.execution WHERE turn = 'READY' AND workflow IN ('deploy', 'backup')"
                                    + " ORDER BY submitted_at, id LIMIT " + many)) {
                List<String> ids = new ArrayList<>();
                while (row.next()) {
                    ids.add(row.getString("id"));
                }
                return ids;
            }
        });
    }

    private static void submit(String workflow, int many) {
        List<Request> requests = IntStream.range(0, many)
                .mapToObj(number -> Request.of(workflow, workflow + "/" + UUID.randomUUID(), Map.of(), "alice"))
                .toList();
        work.executions().submit(requests);
    }

    private static List<Claimed> claim(Connection connection, int most) throws SQLException {
        Identity ada = new Identity("ada-host:1:" + UUID.randomUUID(), "ada");
        Duration seconds = Duration.ofSeconds(30);
        Lease lease = new Lease(UUID.randomUUID(), ada.owner(), ada.user(), seconds);
        Claimant claimant = new Claimant(ada, Map.of(seconds, lease), Set.of("deploy", "backup"));
        Claiming claiming = new Claiming(
                claimant, new Declarations.Kept(0, DECLARED), work.locks().channel());
        return claiming.claim(connection, UUID.randomUUID(), most, Floor.Place.BEGINNING)
                .started();
    }

    /** What the step looks at; nothing of it stays. What earlier ones have looked at may not be counted off yet. */
    private static Rows read(Step step) {
        return work.locks().connections().with(connection -> {
            connection.setAutoCommit(false);
            try {
                Rows before = counted(connection);
                step.on(connection);
                Rows after = counted(connection);
                return new Rows(after.scanned() - before.scanned(), after.fetched() - before.fetched());
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        });
    }

    private static Rows counted(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(READ)) {
            row.next();
            return new Rows(row.getLong("scanned"), row.getLong("fetched"));
        }
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        }
    }
}
