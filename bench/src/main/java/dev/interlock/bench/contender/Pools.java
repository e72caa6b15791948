package dev.interlock.bench.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.bench.postgres.Database;

/** How many connections the contenders that borrow one per statement share. */
final class Pools {
    static final String SHARED = "HikariCP, one connection per caller, at most 32";

    private static final int MOST = 32;

    private Pools() {}

    static HikariDataSource shared(Database database, int callers) {
        return database.pool(Math.min(callers, MOST));
    }
}
