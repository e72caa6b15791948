package dev.interlock.bench.contender;

import dev.interlock.bench.contender.Gathering.Request;
import dev.interlock.bench.postgres.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * What letting requests travel together gives by itself: a name, a token and an instant, without a lease that is renewed,
 * a holder that can be shown, a queue, an epoch or a history. What Interlock does more costs the difference.
 */
final class RawBatches implements Contender {
    /** More of them make batches so small that the fixed costs of each outweigh what they have in common. */
    private static final int FEW = 8;

    private static final int MANY = 128;

    private static final String CREATE = """
            CREATE TABLE batched (
                name text COLLATE "C" PRIMARY KEY,
                owner text,
                token bigint NOT NULL,
                expires_at timestamptz NOT NULL) WITH (fillfactor = 50)""";
    private static final String ACQUIRE = """
            INSERT INTO batched AS l (name, owner, token, expires_at)
            SELECT asked, 'bench', 1, clock_timestamp() + interval '30 seconds' FROM unnest(?::text[]) AS asked
            ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, token = l.token + 1, expires_at = excluded.expires_at
             WHERE l.owner IS NULL OR l.expires_at < clock_timestamp()
            RETURNING token""";
    private static final String RELEASE = """
            UPDATE batched l SET owner = NULL FROM unnest(?::text[], ?::bigint[]) AS r(name, token)
             WHERE l.name = r.name AND l.token = r.token""";
    private static final String SETTLE = """
            SELECT set_config(setting, 'off', false)
              FROM unnest(ARRAY['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan', 'jit']) AS s(setting)""";
    private static final String GENERIC = "SET plan_cache_mode = force_generic_plan";
    private static final String NOT_WAITED_FOR = "SET synchronous_commit = off";

    @Override
    public String name() {
        return "raw, in batches";
    }

    @Override
    public String settings() {
        return "two connections, one to acquire and one to release, which is not waited for on disk; half of the callers go together;"
                + " a name, a token, an instant: no lease, no holder, no queue, no history";
    }

    @Override
    public void prepare(Database database) throws SQLException {
        database.run(CREATE);
    }

    @Override
    public Client open(Database database, int callers) throws SQLException {
        var together = callers <= FEW ? callers : Math.clamp(callers / 2, FEW, MANY);
        return new BatchClient(settled(database), settled(database), together);
    }

    private static Connection settled(Database database) throws SQLException {
        var connection = database.connect();
        try (var statement = connection.createStatement()) {
            statement.execute(GENERIC);
            statement.execute(SETTLE);
        }
        return connection;
    }

    private static final class BatchClient implements Client {
        private final Connection acquiring;
        private final Connection releasing;
        private final Gathering acquires;
        private final Gathering releases;

        BatchClient(Connection acquiring, Connection releasing, int together) throws SQLException {
            this.acquiring = acquiring;
            this.releasing = releasing;
            try (var statement = releasing.createStatement()) {
                statement.execute(NOT_WAITED_FOR);
            }
            this.acquires = new Gathering(together, this::acquire);
            this.releases = new Gathering(together, this::release);
        }

        @Override
        public Held acquire(String name) throws SQLException {
            var granted = new Request(name, 0);
            acquires.submit(granted);
            return () -> releases.submit(new Request(name, granted.token));
        }

        private void acquire(List<Request> sorted) throws SQLException {
            try (var statement = acquiring.prepareStatement(ACQUIRE)) {
                names(statement, sorted);
                try (var row = statement.executeQuery()) {
                    for (var request : sorted) {
                        if (!row.next()) {
                            throw new IllegalStateException("Held by another: one of " + sorted.size());
                        }
                        request.token = row.getLong(1);
                    }
                }
            }
        }

        private void release(List<Request> sorted) throws SQLException {
            try (var statement = releasing.prepareStatement(RELEASE)) {
                names(statement, sorted);
                var tokens = sorted.stream().map(request -> request.token).toArray(Long[]::new);
                statement.setArray(2, releasing.createArrayOf("int8", tokens));
                if (statement.executeUpdate() != sorted.size()) {
                    throw new IllegalStateException("Lost: one of " + sorted.size());
                }
            }
        }

        private static void names(PreparedStatement statement, List<Request> sorted) throws SQLException {
            var names = sorted.stream().map(request -> request.name).toArray(String[]::new);
            statement.setArray(1, statement.getConnection().createArrayOf("text", names));
        }

        @Override
        public void close() throws SQLException {
            acquiring.close();
            releasing.close();
        }
    }
}
