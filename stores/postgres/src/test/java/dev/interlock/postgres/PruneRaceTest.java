package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.system.SystemPorts;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Pruning and acquiring at the same time: no token ever returns. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class PruneRaceTest {
    private static final LockName NAME = LockName.of("production/deployment/payment-api");
    private static final Duration LEASE = Duration.ofMinutes(1);

    @ParameterizedTest
    @ValueSource(ints = {15, 18})
    void tokens_never_return_whoever_comes_first(int major) throws SQLException {
        try (Server server = Server.start(major)) {
            PGSimpleDataSource database = server.database("prunes");
            try (PostgresLockStore store = PostgresLockStore.open(database, SystemPorts.create())) {
                an_acquire_that_meets_an_uncommitted_prune_starts_above_what_was_pruned(database, store);
                a_prune_that_meets_an_uncommitted_acquire_leaves_it_alone(database, store);
                a_prune_that_is_undone_leaves_the_count_where_it_was(database, store);
            }
        }
    }

    private static void an_acquire_that_meets_an_uncommitted_prune_starts_above_what_was_pruned(
            PGSimpleDataSource database, PostgresLockStore store) throws SQLException {
        Lock last = use(store, 3);
        try (Session pruner = Session.open(database)) {
            assertThat(pruner.ask("SELECT interlock.prune('0 seconds', 100)")).isEqualTo(1);
            var next =
                    Session.beside(() -> store.acquire(Asker.named("bob", LEASE).asks(NAME)));
            Session.awaitBlocked(database, 1);

            pruner.commit();

            Lock granted = granted(next.join());
            assertThat(granted.token()).isGreaterThan(last.token());
            store.release(granted);
        }
    }

    private static void a_prune_that_meets_an_uncommitted_acquire_leaves_it_alone(
            PGSimpleDataSource database, PostgresLockStore store) throws SQLException {
        Lock last = use(store, 1);
        try (Session acquirer = Session.open(database)) {
            // As a grant does, in a transaction that is still open.
            acquirer.ask(
                    "UPDATE interlock.lock SET held = true, token = token + 1, acquired_at = clock_timestamp(), ended_at = NULL WHERE name = ?",
                    NAME.value());
            var pruned = Session.beside(() -> store.prune(Duration.ZERO));
            Session.awaitBlocked(database, 1);

            acquirer.commit();

            assertThat(pruned.join()).isZero();
            assertThat(store.find(NAME).orElseThrow().token()).isEqualTo(last.token() + 1);
            Session.askOnce(database, "UPDATE interlock.lock SET held = false, ended_at = clock_timestamp()");
        }
    }

    private static void a_prune_that_is_undone_leaves_the_count_where_it_was(
            PGSimpleDataSource database, PostgresLockStore store) throws SQLException {
        Lock last = use(store, 1);
        try (Session pruner = Session.open(database)) {
            pruner.ask("SELECT interlock.prune('0 seconds', 100)");
            var next =
                    Session.beside(() -> store.acquire(Asker.named("bob", LEASE).asks(NAME)));
            Session.awaitBlocked(database, 1);

            pruner.rollback();

            assertThat(granted(next.join()).token()).isEqualTo(last.token() + 1);
        }
    }

    /** Grants the lock that often, and gives it back each time. */
    private static Lock use(PostgresLockStore store, int times) {
        Lock last = null;
        for (int time = 0; time < times; time++) {
            last = granted(store.acquire(Asker.named("alice", LEASE).asks(NAME)));
            store.release(last);
        }
        return last;
    }
}
