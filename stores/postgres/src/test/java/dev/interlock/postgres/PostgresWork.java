package dev.interlock.postgres;

import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.CatalogueStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.postgresql.ds.PGSimpleDataSource;

/** One process at a database: its locks and executions, and what is declared. */
record PostgresWork(
        PGSimpleDataSource database, Catalogue declared, PostgresLockStore locks, PostgresExecutionStore executions) {
    /** Removes everything, and declares the lifecycles as far as the database itself goes by them. */
    static void empty(PGSimpleDataSource database, Catalogue declared) {
        Server.execute(
                database,
                "TRUNCATE interlock.lock, interlock.lease, interlock.waiter, interlock.history, interlock.notice,"
                        + " interlock.execution, interlock.resource, interlock.idle, interlock.alert, interlock.worker, interlock.log,"
                        + " interlock.workflow",
                "UPDATE interlock.store SET epoch = 0, floor = 0, grants_resume_at = '-infinity'");
        for (Lifecycle lifecycle : declared.lifecycles().values()) {
            Server.execute(
                    database,
                    "INSERT INTO interlock.lifecycle (name, states, initial) VALUES ('" + lifecycle.name()
                            + "', '{}', '') ON CONFLICT DO NOTHING");
            lifecycle.declaration().steps().forEach(step -> declare(database, lifecycle, step));
        }
    }

    private static void declare(PGSimpleDataSource database, Lifecycle lifecycle, Step step) {
        String from = step.from().stream().map(Word::text).collect(Collectors.joining(",", "{", "}"));
        Server.execute(database, """
                INSERT INTO interlock.workflow (lifecycle, name, "from", during, on_success, on_failure, command, transient_exits,
                                                cooldown, cooldown_scope, attempts, retry_first, retry_longest, after_loss, lease)
                VALUES ('%s', '%s', '%s', '%s', '%s', '%s', '{}', '{}', '0', 'WORKFLOW', 1, '1 s', '1 s', false, '30 s')""".formatted(
                        lifecycle.name(), step.name(), from, step.during(), step.onSuccess(), step.onFailure()));
    }

    static PostgresWork open(PGSimpleDataSource database, Catalogue declared) {
        PostgresLockStore locks = PostgresLockStore.open(database, SystemPorts.create());
        return new PostgresWork(
                database,
                declared,
                locks,
                PostgresExecutionStore.open(locks, new Fixed(declared), SystemPorts.create()));
    }

    /** What is declared, once and for all. */
    private record Fixed(Catalogue catalogue) implements CatalogueStore {
        @Override
        public Publication publish(Catalogue more, String by) {
            throw new AssertionError("nothing is declared here");
        }
    }

    CatalogueStore catalogue() {
        return new Fixed(declared);
    }

    void register(String target, String lifecycle, Map<String, String> fields) {
        register(target, lifecycle, fields, null);
    }

    void register(String target, String lifecycle, Map<String, String> fields, Duration timeToLive) {
        Lifecycle kind = declared.lifecycles().get(lifecycle);
        List<String> name = kind.uniqueName(kind.initial(), fields);
        try {
            Session.askOnce(
                    database,
                    """
                    INSERT INTO interlock.resource (target, lifecycle, state, fields, unique_name, registered_by, registered_at,
                                                    expires_at)
                    VALUES (?, ?, ?, ?::jsonb, ?::text[], 'somebody', clock_timestamp(), clock_timestamp() + ?::interval)""",
                    target,
                    lifecycle,
                    kind.initial(),
                    Json.object(fields),
                    name == null ? null : "{" + String.join(",", name) + "}",
                    timeToLive == null ? null : timeToLive.toString());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    Resource resource(String target) {
        return locks.connections().with(connection -> Holdings.find(connection, target, declared));
    }

    static void age(PGSimpleDataSource database, Duration elapsed) {
        String by = " - interval '" + elapsed.toNanos() / 1000 + " microseconds'";
        Server.execute(
                database,
                "UPDATE interlock.lease SET renewed_at = renewed_at%1$s, expires_at = expires_at%1$s, ended_at = ended_at%1$s"
                        .formatted(by),
                "UPDATE interlock.lock SET acquired_at = acquired_at%1$s, ends_at = ends_at%1$s, ended_at = ended_at%1$s, closed_until = closed_until%1$s"
                        .formatted(by),
                "UPDATE interlock.resource SET registered_at = registered_at%1$s, expires_at = expires_at%1$s"
                        .formatted(by),
                "UPDATE interlock.history SET began_at = began_at%1$s, ended_at = ended_at%1$s".formatted(by),
                "UPDATE interlock.waiter SET since = since%1$s, until = until%1$s".formatted(by),
                "UPDATE interlock.execution SET submitted_at = submitted_at%1$s, due_at = due_at%1$s, started_at = started_at%1$s, ended_at = ended_at%1$s, cleared_at = cleared_at%1$s, dead_at = dead_at%1$s"
                        .formatted(by));
    }

    void close() {
        executions.close();
        locks.close();
    }
}
