package dev.interlock.postgres;

import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** The tables and functions of the store, in a schema of their own. */
public final class PostgresSchema {
    /** The version that this program was written for. */
    static final int VERSION = 5;

    private PostgresSchema() {}

    /** Creates or upgrades the schema. Several processes may do so at once. */
    public static void migrate(DataSource source) {
        try {
            Flyway.configure()
                    .dataSource(source)
                    .schemas("interlock")
                    .createSchemas(true)
                    .locations("classpath:dev/interlock/postgres/migrations")
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw translate(e);
        }
    }

    private static StoreUnavailable translate(FlywayException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return Failures.translate(sql);
            }
        }
        return new StoreUnavailable(
                Kind.MISCONFIGURED, "The schema of Interlock could not be installed: " + e.getMessage(), e);
    }
}
