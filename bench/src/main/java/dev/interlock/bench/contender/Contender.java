package dev.interlock.bench.contender;

import dev.interlock.bench.postgres.Database;
import java.sql.SQLException;

/** One way of holding a name exclusively on PostgreSQL, set up as its users would. */
public interface Contender {
    /** The heading of its column. */
    String name();

    /** What a reader must know to judge its figures: connections, poll interval, options. */
    String settings();

    /** Creates what it keeps in a fresh database. */
    void prepare(Database database) throws SQLException;

    /** The client of one process in which so many threads call. */
    Client open(Database database, int callers) throws SQLException;

    interface Client extends AutoCloseable {
        /** Returns once the lock is held. A caller without rivals never waits. */
        Held acquire(String name) throws SQLException, InterruptedException;

        @Override
        void close() throws SQLException;
    }

    /** A lock held; the thread that acquired it gives it back. */
    interface Held {
        void release() throws SQLException;
    }
}
