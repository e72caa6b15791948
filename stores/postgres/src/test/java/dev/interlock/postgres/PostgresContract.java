package dev.interlock.postgres;

import dev.interlock.contract.LockStoreContract;
import dev.interlock.core.LockStore;
import dev.interlock.core.system.SystemPorts;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** The contract on one database. Time passes by moving every instant in it. */
abstract class PostgresContract extends LockStoreContract {
    abstract PGSimpleDataSource database();

    /** What the store connects to, when that is not the database itself. */
    PGSimpleDataSource front() {
        return database();
    }

    @Override
    protected LockStore store() {
        Server.execute(
                database(),
                "TRUNCATE interlock.lock, interlock.lease, interlock.waiter, interlock.history, interlock.notice",
                "UPDATE interlock.store SET epoch = 0, floor = 0, grants_resume_at = '-infinity'");
        return another();
    }

    @Override
    protected LockStore another() {
        return PostgresLockStore.open(front(), database(), SystemPorts.create());
    }

    @Override
    public void age(Duration elapsed) {
        String by = " - interval '" + elapsed.toNanos() / 1000 + " microseconds'";
        Server.execute(
                database(),
                "UPDATE interlock.lease SET renewed_at = renewed_at%1$s, expires_at = expires_at%1$s, ended_at = ended_at%1$s"
                        .formatted(by),
                "UPDATE interlock.lock SET acquired_at = acquired_at%1$s, ends_at = ends_at%1$s, ended_at = ended_at%1$s, closed_until = closed_until%1$s"
                        .formatted(by),
                "UPDATE interlock.waiter SET since = since%1$s, until = until%1$s".formatted(by),
                "UPDATE interlock.history SET began_at = began_at%1$s, ended_at = ended_at%1$s".formatted(by),
                "UPDATE interlock.notice SET due_at = due_at%1$s".formatted(by),
                "UPDATE interlock.store SET grants_resume_at = grants_resume_at%1$s".formatted(by));
    }
}
