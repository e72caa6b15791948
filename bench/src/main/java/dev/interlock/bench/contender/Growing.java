package dev.interlock.bench.contender;

import dev.interlock.bench.postgres.Database;
import java.sql.SQLException;

/** A contender whose tables grow with the names in use. */
public interface Growing extends Contender {
    /**
     * Leaves the tables as they are after long use by {@code names} names: where the record of a name survives its
     * release, those records; where it does not, as many names held by others. Each {@link Names#at} stays free.
     */
    void fill(Database database, int names) throws SQLException;
}
