package dev.interlock.bench.contender;

import dev.interlock.bench.postgres.Database;
import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Holder;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.LockName;
import dev.interlock.core.Locks;
import dev.interlock.core.Options;
import dev.interlock.core.Release;
import dev.interlock.core.Settings;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.system.ThisProcess;
import dev.interlock.postgres.PostgresLockStore;
import dev.interlock.postgres.PostgresSchema;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/** Ours, through the library as a service would use it: leases, tokens, history, background renewal and all. */
final class Interlock implements Growing, Renewer {
    private static final String SETTINGS =
            "default settings; its own connections, at most 4 and one to listen; a release is not waited for on disk, a place in a queue is";
    private static final Duration WAIT = Duration.ofMinutes(5);
    private static final String FILL = """
            INSERT INTO interlock.lock (name, token, held, lease, execution, attempt, owner, "user", acquired_at, ending, ended_at)
            SELECT ? || i, 1, false, gen_random_uuid(), 'exec', 1, 'another:1:1', 'another', past, 'RELEASED', past
              FROM generate_series(0, ? - 1) AS i, (SELECT now() - interval '1 day' AS past) AS p""";

    private final Giving giving;

    Interlock() {
        this(Giving.BACK);
    }

    /** @param giving how the callers give their locks back */
    Interlock(Giving giving) {
        this.giving = giving;
    }

    /** The two ways to give a lock back. */
    enum Giving {
        /** Once the store has said that it is free. */
        BACK {
            @Override
            void give(HeldLock lock) {
                if (!(lock.release() instanceof Release.Released)) {
                    throw new IllegalStateException(lock.name() + " was lost");
                }
            }
        },
        /** Without waiting for that. */
        SOON {
            @Override
            @SuppressWarnings("FutureReturnValueIgnored") // which is what it is about
            void give(HeldLock lock) {
                lock.releaseSoon();
            }
        };

        abstract void give(HeldLock lock);
    }

    @Override
    public String name() {
        return switch (giving) {
            case BACK -> "Interlock";
            case SOON -> "Interlock, releasing soon";
        };
    }

    @Override
    public String settings() {
        return switch (giving) {
            case BACK -> SETTINGS;
            case SOON -> SETTINGS + "; nor does the caller wait for the answer to its release (`releaseSoon`)";
        };
    }

    @Override
    public void prepare(Database database) {
        PostgresSchema.migrate(source(database));
    }

    @Override
    public void fill(Database database, int names) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.prepareStatement(FILL)) {
            statement.setString(1, Names.PREFIX);
            statement.setInt(2, names);
            statement.executeUpdate();
        }
        database.run("VACUUM ANALYZE interlock.lock");
    }

    @Override
    public Client open(Database database, int callers) {
        var ports = SystemPorts.create();
        var store = PostgresLockStore.open(source(database), ports);
        return new InterlockClient(store, new Locks(store, ThisProcess.identity(), Settings.DEFAULT, ports), giving);
    }

    @Override
    public Holding hold(Database database, int locks) {
        var store = PostgresLockStore.open(source(database), SystemPorts.create());
        Identity me = ThisProcess.identity();
        Lease lease = new Lease(UUID.randomUUID(), me.owner(), me.user(), Duration.ofHours(1));
        for (var i = 0; i < locks; i++) {
            Holder holder = new Holder("exec-" + i, 1, me.owner(), me.user());
            if (!(store.acquire(new Ask(LockName.of(Names.at(i)), holder, lease)) instanceof Acquisition.Granted)) {
                throw new IllegalStateException(Names.at(i) + " was not free");
            }
        }
        return new InterlockHolding(store, lease);
    }

    private static PGSimpleDataSource source(Database database) {
        var source = new PGSimpleDataSource();
        source.setUrl(database.url());
        return source;
    }

    private record InterlockClient(PostgresLockStore store, Locks locks, Giving giving) implements Client {
        @Override
        public Held acquire(String name) throws InterruptedException {
            var lock = locks.acquire(name, Options.waiting(WAIT));
            return () -> giving.give(lock);
        }

        @Override
        public void close() {
            locks.close();
            store.close();
        }
    }

    private record InterlockHolding(PostgresLockStore store, Lease lease) implements Holding {
        @Override
        public void renewAll() {
            if (!(store.renew(List.of(lease)).getFirst() instanceof LeaseRenewal.Renewed)) {
                throw new IllegalStateException("the lease was lost");
            }
        }

        @Override
        public void close() {
            store.end(lease);
            store.close();
        }
    }
}
