package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;
import static dev.interlock.postgres.Asker.queued;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.system.SystemPorts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The history of a lock when most of its tenures are found through the one that was filed first on their shelf. */
class ShelfTest extends OwnServer {
    private static final LockName NAME = LockName.of("production/deployment/payment-api");
    private static final LockName OTHER = LockName.of("production/deployment/other-api");
    private static final Duration LEASE = Duration.ofHours(1);

    private final Asker alice = Asker.named("alice", LEASE);
    private PostgresLockStore store;

    @BeforeEach
    void open() {
        Server.execute(
                database,
                "TRUNCATE interlock.lock, interlock.lease, interlock.waiter, interlock.history, interlock.notice",
                "UPDATE interlock.store SET epoch = 0, floor = 0, grants_resume_at = '-infinity'");
        store = PostgresLockStore.open(database, SystemPorts.create());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void every_tenure_is_told_once_and_in_order_although_few_are_filed() throws SQLException {
        hold(NAME, 200);
        hold(OTHER, 3);

        assertThat(told(NAME, 7)).isEqualTo(downFrom(200));
        assertThat(told(NAME, 100)).isEqualTo(downFrom(200));
        // The first on the shelves 1 to 63, 64 to 127, 128 to 191 and 192 to 255.
        assertThat(filed()).isEqualTo("{1,64,128,192}");
    }

    @Test
    void hand_overs_are_told_like_releases() throws Exception {
        Lock held = granted(store.acquire(alice.asks(NAME)));
        for (int turn = 1; turn <= 70; turn++) {
            Entry.Queued next = queued(store.enter(alice.sibling("turn-" + turn).asks(NAME), LEASE, 10));
            store.release(held);
            held = granted(next.place().handover().get());
        }
        store.release(held);

        assertThat(told(NAME, 9)).isEqualTo(downFrom(71));
        // The last release found a queue that might have had waiters, which is no plain case.
        assertThat(filed()).isEqualTo("{1,64,71}");
    }

    @Test
    void tokens_that_were_passed_over_hide_nothing() throws SQLException {
        hold(NAME, 3);
        Server.execute(database, "UPDATE interlock.lock SET token = token + 1000");
        hold(NAME, 3);
        store.recover();
        Server.execute(database, "UPDATE interlock.store SET grants_resume_at = '-infinity'");
        hold(NAME, 3);

        long epoch = 1L << 40;
        assertThat(told(NAME, 2)).containsExactly(epoch + 3, epoch + 2, epoch + 1, 1006L, 1005L, 1004L, 3L, 2L, 1L);
    }

    @Test
    void a_lock_that_was_forgotten_and_came_back_has_its_whole_history() throws SQLException {
        hold(NAME, 5);
        hold(OTHER, 500);
        Server.execute(database, "UPDATE interlock.lock SET ended_at = ended_at - interval '91 days'");
        assertThat(store.prune(Duration.ofDays(90))).isEqualTo(2);
        assertThat(told(NAME, 3)).containsExactly(5L, 4L, 3L, 2L, 1L);
        hold(NAME, 70);

        assertThat(told(NAME, 40))
                .isEqualTo(LongStream.concat(
                                LongStream.iterate(570, token -> token > 500, token -> token - 1),
                                LongStream.of(5, 4, 3, 2, 1))
                        .boxed()
                        .toList());
    }

    /** With pages of seven one ends where a shelf does, so that the next begins below it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 30, 200})
    void what_is_left_of_a_shelf_is_told_when_the_first_on_it_has_been_pruned(int size) {
        hold(NAME, 140);
        Server.execute(database, "DELETE FROM interlock.history WHERE token < 30");

        assertThat(told(NAME, size))
                .isEqualTo(LongStream.iterate(140, token -> token >= 30, token -> token - 1)
                        .boxed()
                        .toList());
    }

    @Test
    void whoever_asks_late_hears_how_its_tenure_ended_wherever_that_lies() {
        List<Lock> tenures = hold(NAME, 130);

        for (Lock tenure :
                List.of(tenures.get(0), tenures.get(1), tenures.get(63), tenures.get(64), tenures.get(129))) {
            assertThat(store.renew(tenure))
                    .isInstanceOfSatisfying(
                            Lost.class, lost -> assertThat(lost.why()).isEqualTo(Loss.Cause.ALREADY_RELEASED));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void however_tenures_end_and_tokens_jump_the_history_tells_what_was_written(long seed) throws SQLException {
        liveThrough(seed);

        assertThat(told(NAME, 1 + (int) seed * 3)).isEqualTo(written());
    }

    @Test
    void a_tenure_that_nobody_filed_where_it_is_alone_is_found_to_be_missing() throws SQLException {
        liveThrough(1);
        Server.execute(database, """
                UPDATE interlock.history SET filed = false WHERE token >> 6 =
                    (SELECT max(token >> 6) FROM interlock.history WHERE token >> 6 < (SELECT min(token) >> 6 FROM interlock.history WHERE token > (1::bigint << 40)))""");

        assertThat(told(NAME, 10)).isNotEqualTo(written());
    }

    /** Releases, forced and expired tenures in any order, tokens that are passed over, and one new epoch. */
    private void liveThrough(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 150; step++) {
            switch (random.nextInt(12)) {
                case 0 ->
                    Server.execute(database, "UPDATE interlock.lock SET token = token + " + (1 + random.nextInt(200)));
                case 1 -> {
                    Lock held = granted(store.acquire(alice.asks(NAME)));
                    store.force(new Force(NAME, held.token(), "root", "a test", true));
                }
                case 2 -> {
                    Asker late = Asker.named("late", LEASE);
                    granted(store.acquire(late.asks(NAME)));
                    Server.execute(
                            database,
                            "UPDATE interlock.lease SET expires_at = clock_timestamp() WHERE id = '%s'"
                                    .formatted(late.lease().id()));
                }
                default -> hold(NAME, 1 + random.nextInt(3));
            }
            if (step == 75) {
                Server.execute(database, "UPDATE interlock.lock SET token = token + 300");
                hold(NAME, 1);
                store.recover();
                Server.execute(database, "UPDATE interlock.store SET grants_resume_at = '-infinity'");
            }
        }
        hold(NAME, 1);
    }

    private List<Lock> hold(LockName name, int times) {
        List<Lock> tenures = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            Acquisition answer = store.acquire(alice.asks(name));
            tenures.add(granted(answer));
            store.release(tenures.getLast());
        }
        return tenures;
    }

    private List<Long> told(LockName name, int size) {
        List<Long> tokens = new ArrayList<>();
        String after = null;
        do {
            Page<Past> page = store.history(name, new Page.Request(after, size));
            page.items().stream()
                    .filter(past -> past.event() != Past.Event.FORCE_ORDERED)
                    .forEach(past -> tokens.add(past.token()));
            after = page.next();
        } while (after != null);
        return tokens;
    }

    private static List<Long> downFrom(long token) {
        return LongStream.iterate(token, one -> one > 0, one -> one - 1).boxed().toList();
    }

    private static List<Long> written() throws SQLException {
        String tokens = (String) Session.askOnce(database, """
                SELECT string_agg(token::text, ',' ORDER BY token DESC) FROM interlock.history
                 WHERE event IN ('RELEASED', 'EXPIRED', 'FORCED', 'HELD_TOO_LONG')""");
        return List.of(tokens.split(",")).stream().map(Long::valueOf).toList();
    }

    private static String filed() throws SQLException {
        return (String) Session.askOnce(
                database,
                "SELECT array_agg(token ORDER BY token)::text FROM interlock.history WHERE filed AND name = ?",
                NAME.value());
    }
}
