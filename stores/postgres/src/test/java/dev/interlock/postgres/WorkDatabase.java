package dev.interlock.postgres;

import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.WorkStores;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database that is emptied before each test; two processes use it. */
abstract class WorkDatabase extends OwnServer {
    WorkStores here;
    WorkStores elsewhere;
    Session other;

    @BeforeEach
    void open() {
        Server.execute(
                database,
                "TRUNCATE interlock.lock, interlock.lease, interlock.history, interlock.execution, interlock.lifecycle,"
                        + " interlock.workflow, interlock.resource, interlock.worker, interlock.log",
                "UPDATE interlock.store SET catalogue = 0");
        here = PostgresLockStore.open(database, SystemPorts.create()).work();
        elsewhere = PostgresLockStore.open(database, SystemPorts.create()).work();
        other = Session.open(database);
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        elsewhere.close();
        here.close();
    }

    static long count(String sql) throws SQLException {
        return (Long) Session.askOnce(database, "SELECT count(*) FROM " + sql);
    }

    static String events() throws SQLException {
        return (String) Session.askOnce(
                database,
                "SELECT coalesce(string_agg(event || ' ' || name || ' by ' || actor || coalesce(': ' || detail, ''), E'\\n' ORDER BY seq), '')"
                        + " FROM interlock.history");
    }
}
