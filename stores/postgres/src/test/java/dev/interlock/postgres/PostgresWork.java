package dev.interlock.postgres;

import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.CatalogueStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** One process at a database: its locks and executions, and what is declared. */
record PostgresWork(
        PGSimpleDataSource database, Catalogue declared, PostgresLockStore locks, PostgresExecutionStore executions) {
    /** Removes everything but the declarations. */
    static void empty(PGSimpleDataSource database, Catalogue declared) {
        Server.execute(
                database,
                "TRUNCATE interlock.lock, interlock.lease, interlock.waiter, interlock.history, interlock.notice,"
                        + " interlock.execution, interlock.resource, interlock.idle",
                "UPDATE interlock.store SET epoch = 0, floor = 0, grants_resume_at = '-infinity'");
        for (String name : declared.lifecycles().keySet()) {
            Server.execute(
                    database,
                    "INSERT INTO interlock.lifecycle (name, states, initial) VALUES ('" + name
                            + "', '{}', '') ON CONFLICT DO NOTHING");
        }
    }

    static PostgresWork open(PGSimpleDataSource database, Catalogue declared) {
        PostgresLockStore locks = PostgresLockStore.open(database, SystemPorts.create());
        CatalogueStore catalogue = new CatalogueStore() {
            @Override
            public Publication publish(Catalogue more, String by) {
                throw new AssertionError("nothing is declared here");
            }

            @Override
            public Catalogue catalogue() {
                return declared;
            }
        };
        return new PostgresWork(
                database, declared, locks, PostgresExecutionStore.open(locks, catalogue, SystemPorts.create()));
    }

    void register(String target, String lifecycle, Map<String, String> fields) {
        try {
            Session.askOnce(
                    database,
                    """
                    INSERT INTO interlock.resource (target, lifecycle, state, fields, registered_by, registered_at)
                    VALUES (?, ?, ?, ?::jsonb, 'somebody', clock_timestamp())""",
                    target,
                    lifecycle,
                    declared.lifecycles().get(lifecycle).initial(),
                    Json.object(fields));
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
                "UPDATE interlock.waiter SET since = since%1$s, until = until%1$s".formatted(by),
                "UPDATE interlock.execution SET submitted_at = submitted_at%1$s, due_at = due_at%1$s, started_at = started_at%1$s, ended_at = ended_at%1$s, cleared_at = cleared_at%1$s, dead_at = dead_at%1$s"
                        .formatted(by));
    }

    void close() {
        executions.close();
        locks.close();
    }
}
