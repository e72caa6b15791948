package dev.interlock.bench.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.bench.postgres.Database;
import java.sql.SQLException;
import java.time.Duration;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's JdbcLockRegistry: threads of one process queue locally, one of them polls the table. */
final class SpringRegistry implements Growing, Renewer {
    /** Shorter brings no faster hand-off between processes, only more statements. */
    private static final Duration POLL = Duration.ofMillis(10);

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONG_LEASE = Duration.ofHours(1);

    /** Above every number of names locked at once; the registry refuses to lock more than it can cache. */
    private static final int CACHE = 100_000;

    private static final String CREATE = """
            CREATE TABLE int_lock (
                lock_key char(36) NOT NULL,
                region varchar(100) NOT NULL,
                client_id char(36),
                created_date timestamp NOT NULL,
                expired_after timestamp NOT NULL,
                CONSTRAINT int_lock_pk PRIMARY KEY (lock_key, region))""";
    private static final String FILL = """
            INSERT INTO int_lock (lock_key, region, client_id, created_date, expired_after)
            SELECT gen_random_uuid(), 'DEFAULT', gen_random_uuid(), now(), now() + interval '1 day'
              FROM generate_series(0, ? - 1)""";

    @Override
    public String name() {
        return "Spring JdbcLockRegistry";
    }

    @Override
    public String settings() {
        return Jar.of(JdbcLockRegistry.class)
                + ", its insert with `ON CONFLICT DO NOTHING` as its documentation has it "
                + "for PostgreSQL; " + Pools.SHARED + "; threads of a process queue locally, one polls every "
                + POLL.toMillis() + " ms (default 100); `renewLock` one by one";
    }

    @Override
    public void prepare(Database database) throws SQLException {
        database.run(CREATE);
    }

    @Override
    public void fill(Database database, int names) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.prepareStatement(FILL)) {
            statement.setInt(1, names);
            statement.executeUpdate();
        }
        database.run("VACUUM ANALYZE int_lock");
    }

    @Override
    public Client open(Database database, int callers) {
        var pool = Pools.shared(database, callers);
        return new SpringClient(pool, registry(pool, LEASE));
    }

    @Override
    public Holding hold(Database database, int locks) {
        var pool = Pools.shared(database, 1);
        var registry = registry(pool, LONG_LEASE);
        for (var i = 0; i < locks; i++) {
            registry.obtain(Names.at(i)).lock();
        }
        return new SpringHolding(pool, registry, locks);
    }

    private static JdbcLockRegistry registry(HikariDataSource pool, Duration lease) {
        var repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        var registry = new JdbcLockRegistry(repository, lease);
        registry.setCacheCapacity(CACHE);
        registry.setIdleBetweenTries(POLL);
        return registry;
    }

    private record SpringClient(HikariDataSource pool, JdbcLockRegistry registry) implements Client {
        @Override
        public Held acquire(String name) {
            var lock = registry.obtain(name);
            lock.lock();
            return lock::unlock;
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    private record SpringHolding(HikariDataSource pool, JdbcLockRegistry registry, int locks) implements Holding {
        @Override
        public void renewAll() {
            for (var i = 0; i < locks; i++) {
                registry.renewLock(Names.at(i));
            }
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
