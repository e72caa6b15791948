package dev.interlock.bench.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.bench.postgres.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock's JdbcTemplate provider on the database's clock. It does not wait, so a caller has to ask again. */
final class ShedLock implements Growing, Renewer {
    /** More often, and so many pollers slow down the holder; less often, and only the last holder gets in again. */
    private static final Duration POLL = Duration.ofMillis(50);

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONG_LEASE = Duration.ofHours(1);

    private static final String CREATE = """
            CREATE TABLE shedlock (
                name varchar(64) NOT NULL,
                lock_until timestamp NOT NULL,
                locked_at timestamp NOT NULL,
                locked_by varchar(255) NOT NULL,
                PRIMARY KEY (name))""";
    private static final String FILL = """
            INSERT INTO shedlock (name, lock_until, locked_at, locked_by)
            SELECT ? || i, past, past, 'another'
              FROM generate_series(0, ? - 1) AS i, (SELECT timezone('utc', now()) - interval '1 day' AS past) AS p""";

    @Override
    public String name() {
        return "ShedLock";
    }

    @Override
    public String settings() {
        return Jar.of(JdbcTemplateLockProvider.class) + ", `usingDbTime`; " + Pools.SHARED
                + "; it has no waiting: asked again every " + POLL.toMillis() + " ms; `extend` one by one";
    }

    @Override
    public void prepare(Database database) throws SQLException {
        database.run(CREATE);
    }

    @Override
    public void fill(Database database, int names) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.prepareStatement(FILL)) {
            statement.setString(1, Names.PREFIX);
            statement.setInt(2, names);
            statement.executeUpdate();
        }
        database.run("VACUUM ANALYZE shedlock");
    }

    @Override
    public Client open(Database database, int callers) {
        var pool = Pools.shared(database, callers);
        return new ShedLockClient(pool, provider(pool));
    }

    @Override
    public Holding hold(Database database, int locks) throws SQLException {
        var pool = Pools.shared(database, 1);
        var provider = provider(pool);
        var held = new ArrayList<SimpleLock>(locks);
        for (var i = 0; i < locks; i++) {
            held.add(provider.lock(asking(Names.at(i), LONG_LEASE)).orElseThrow());
        }
        return new ShedLockHolding(pool, held);
    }

    private static LockProvider provider(HikariDataSource pool) {
        return new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
    }

    private static LockConfiguration asking(String name, Duration lease) {
        return new LockConfiguration(Instant.now(), name, lease, Duration.ZERO);
    }

    private record ShedLockClient(HikariDataSource pool, LockProvider provider) implements Client {
        @Override
        public Held acquire(String name) throws InterruptedException {
            while (true) {
                var lock = provider.lock(asking(name, LEASE));
                if (lock.isPresent()) {
                    return lock.get()::unlock;
                }
                Thread.sleep(POLL);
            }
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    private record ShedLockHolding(HikariDataSource pool, List<SimpleLock> held) implements Holding {
        @Override
        public void renewAll() {
            held.replaceAll(lock -> lock.extend(LONG_LEASE, Duration.ZERO).orElseThrow());
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
