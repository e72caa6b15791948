package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Force;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.Replay;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.Sealing;
import dev.interlock.core.system.SystemPorts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What the events add up to is what the tables say, after whatever has happened. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class AuditReplayTest {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private static final String LOCKS = "SELECT name, token, held, ending FROM interlock.lock";
    private static final String EXECUTIONS = "SELECT id, target, phase, attempt FROM interlock.execution";
    private static final String RESOURCES = "SELECT target, state FROM interlock.resource";

    @Test
    void the_events_of_a_target_add_up_to_its_present() throws SQLException {
        try (Server server = Server.start(18)) {
            PGSimpleDataSource database = server.database("replay");
            try (PostgresLockStore store = PostgresLockStore.open(database, SystemPorts.create())) {
                happen(database, store, new Random(20261116));
            }
            assertThat(differences(database)).isEmpty();
            seal(database);
            assertThat(differences(database)).isEmpty();

            Server.execute(
                    database,
                    "DELETE FROM interlock.history WHERE seq = (SELECT seq FROM interlock.history h JOIN interlock.lock l"
                            + " USING (name, token) WHERE NOT l.held AND h.event <> 'REFUSED' AND h.event <> 'FORCE_ORDERED' LIMIT 1)");
            assertThat(differences(database)).as("an event that is not there").hasSize(1);
        }
    }

    private static void seal(PGSimpleDataSource database) {
        try (PostgresAudit audit = new PostgresAudit(database)) {
            while (audit.seal(50) instanceof Sealing.Done) {
                // there may be more
            }
        }
    }

    /** Takes, gives back, forces, lets run out, at random. */
    private static void happen(PGSimpleDataSource database, PostgresLockStore store, Random chance) {
        List<Lock> held = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            LockName name = LockName.of("prod/" + chance.nextInt(6));
            switch (chance.nextInt(5)) {
                case 0, 1 -> {
                    if (store.acquire(Asker.named("asker-" + step, LEASE).asks(name))
                            instanceof Acquisition.Granted(Lock lock)) {
                        held.add(lock);
                    }
                }
                case 2 -> {
                    if (!held.isEmpty()) {
                        store.release(held.remove(chance.nextInt(held.size())));
                    }
                }
                case 3 ->
                    store.find(name)
                            .ifPresent(lock -> store.force(
                                    new Force(name, lock.token(), "admin", "because", chance.nextBoolean())));
                default ->
                    Server.execute(
                            database,
                            "UPDATE interlock.lease SET expires_at = clock_timestamp() WHERE id = (SELECT lease FROM interlock.lock WHERE name = '%s')"
                                    .formatted(name.value()));
            }
        }
    }

    /** The checker: every target, execution and resource about which events and tables do not agree, at one moment. */
    private static List<String> differences(PGSimpleDataSource database) throws SQLException {
        Replay.Present nothing = Replay.of(List.of());
        List<String> differences = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
            Map<String, Replay.Present> replayed = replayed(connection);
            try (ResultSet lock = statement.executeQuery(LOCKS)) {
                while (lock.next()) {
                    if (!agrees(lock, replayed.getOrDefault(lock.getString("name"), nothing))) {
                        differences.add("lock " + lock.getString("name"));
                    }
                }
            }
            try (ResultSet row = statement.executeQuery(EXECUTIONS)) {
                while (row.next()) {
                    Replay.Standing told = replayed.getOrDefault(row.getString("target"), nothing)
                            .executions()
                            .get(row.getString("id"));
                    if (!new Replay.Standing(row.getString("phase"), row.getInt("attempt")).equals(told)) {
                        differences.add("execution " + row.getString("id") + ": " + told);
                    }
                }
            }
            try (ResultSet row = statement.executeQuery(RESOURCES)) {
                while (row.next()) {
                    String told = replayed.getOrDefault(row.getString("target"), nothing)
                            .state();
                    if (!row.getString("state").equals(told)) {
                        differences.add("resource " + row.getString("target") + ": " + told);
                    }
                }
            }
        }
        return differences;
    }

    /** A free lock ended as its last tenure did; one that is held is above every tenure that has ended. */
    private static boolean agrees(ResultSet lock, Replay.Present told) throws SQLException {
        Event ended = told.ended();
        long token = lock.getLong("token");
        if (lock.getBoolean("held")) {
            return (ended == null || ended.token() < token)
                    && (told.running() == null || told.running().token() == token);
        }
        return ended != null
                && ended.token() == token
                && told.running() == null
                && lock.getString("ending").equals(ending(ended));
    }

    private static String ending(Event ended) {
        return switch (ended.event()) {
            case "RELEASED", "FORCED" -> "RELEASED";
            default -> "EXPIRED";
        };
    }

    private static Map<String, Replay.Present> replayed(Connection connection) throws SQLException {
        List<Event> all = new ArrayList<>();
        for (Seal seal : Trail.seals(connection, 0, Integer.MAX_VALUE)) {
            all.addAll(Trail.under(connection, seal));
        }
        Trail.unsealed(connection, all::add);
        Map<String, Replay.Present> replayed = new TreeMap<>();
        all.stream()
                .collect(Collectors.groupingBy(Event::target))
                .forEach((target, events) -> replayed.put(target, Replay.of(events)));
        return replayed;
    }
}
