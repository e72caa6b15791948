package dev.interlock.bench.contender;

import dev.interlock.bench.postgres.Database;
import java.sql.SQLException;

/** One way of keeping many held locks alive. */
public interface Renewer {
    String name();

    String settings();

    void prepare(Database database) throws SQLException;

    /** Takes {@link Names#at} for every index below {@code locks}, in one process. */
    Holding hold(Database database, int locks) throws SQLException, InterruptedException;

    interface Holding extends AutoCloseable {
        /** Renews everything held, once; fails if any of it was lost. */
        void renewAll() throws SQLException;

        @Override
        void close() throws SQLException;
    }
}
