package dev.interlock.sqs;

import dev.interlock.core.execution.Phase;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.embedded.Address;
import dev.interlock.embedded.EmbeddedPostgres;
import dev.interlock.postgres.PostgresOutbox;
import dev.interlock.postgres.PostgresSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PostgreSQL with executions, and the least that can claim them: the row decides, never a message. */
final class Database {
    /** With a wake-up in the same transaction, as the store does it; but under names that tests can choose. */
    private static final String SUBMIT = """
            WITH arrived AS (
                INSERT INTO interlock.execution (id, target, workflow, requester, on_busy, priority, fingerprint, submitted_at,
                                                 phase, turn)
                VALUES (?, ?, 'w', 'me', 'QUEUE', 0, '', clock_timestamp(), 'PENDING', 'READY')
                RETURNING id, target
            )
            INSERT INTO interlock.outbox (execution, target)
            SELECT a.id, a.target FROM arrived a, interlock.store s WHERE s.transport_until > clock_timestamp()""";

    private static final String CLAIM = """
            UPDATE interlock.execution SET phase = 'RUNNING', turn = NULL, attempt = attempt + 1
             WHERE id = (SELECT r.id FROM interlock.execution r
                          WHERE r.turn = 'READY'
                            AND NOT EXISTS (SELECT FROM interlock.execution x WHERE x.target = r.target AND x.phase = 'RUNNING')
                          ORDER BY r.submitted_at, r.id LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING id""";
    private static final String FINISH =
            "UPDATE interlock.execution SET phase = 'COMPLETED', ended_at = clock_timestamp() WHERE id = ? RETURNING id";

    private static final class Shared {
        static final Database DATABASE = start();
    }

    private final PGSimpleDataSource source;

    private Database(PGSimpleDataSource source) {
        this.source = source;
    }

    static Database shared() {
        return Shared.DATABASE;
    }

    private static Database start() {
        try {
            EmbeddedPostgres server = new EmbeddedPostgres(Files.createTempDirectory("interlock-sqs-"), notice -> {});
            Address address = server.address();
            Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(address.jdbcUrl());
            source.setUser(Address.USER);
            source.setPassword(address.password());
            PostgresSchema.migrate(source);
            return new Database(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing submitted, and no relay has asked yet. */
    Database emptied() {
        ask("TRUNCATE interlock.execution, interlock.outbox");
        ask("UPDATE interlock.store SET transport = NULL, transport_until = NULL");
        return this;
    }

    PostgresOutbox outbox() {
        return PostgresOutbox.open(source, SystemPorts.create());
    }

    void submit(String id, String target) {
        ask(SUBMIT, id, target);
    }

    /** The first that may run; its target is then busy. */
    Optional<String> claim() {
        return ask(CLAIM).stream().findFirst();
    }

    void finish(String id) {
        ask(FINISH, id);
    }

    /** What a worker does when it is woken, or looks by itself. */
    List<String> runAll() {
        List<String> ran = new ArrayList<>();
        for (Optional<String> next = claim(); next.isPresent(); next = claim()) {
            ran.add(next.get());
            finish(next.get());
        }
        return ran;
    }

    Optional<Phase> phaseOf(String id) {
        return ask("SELECT phase FROM interlock.execution WHERE id = ?", id).stream()
                .findFirst()
                .map(Phase::valueOf);
    }

    int count(String table) {
        return Integer.parseInt(ask(switch (table) {
                    case "outbox" -> "SELECT count(*) FROM interlock.outbox";
                    case "open" -> "SELECT count(transport) FROM interlock.store";
                    case "pending" -> "SELECT count(*) FROM interlock.execution WHERE phase = 'PENDING'";
                    case "attempts" -> "SELECT coalesce(sum(attempt), 0) FROM interlock.execution";
                    default -> throw new IllegalArgumentException(table);
                })
                .getFirst());
    }

    /** The time of relays that have taken and not sent is over. */
    void letTakenPass() {
        ask("UPDATE interlock.outbox SET taken_until = '-infinity'");
    }

    private List<String> ask(String sql, String... parameters) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int at = 0; at < parameters.length; at++) {
                statement.setString(at + 1, parameters[at]);
            }
            List<String> answers = new ArrayList<>();
            if (statement.execute()) {
                try (ResultSet row = statement.getResultSet()) {
                    while (row.next()) {
                        answers.add(row.getString(1));
                    }
                }
            }
            return answers;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
