package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Force;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Identity;
import dev.interlock.core.Lock;
import dev.interlock.core.LockEvent;
import dev.interlock.core.LockName;
import dev.interlock.core.Locks;
import dev.interlock.core.Loss;
import dev.interlock.core.Observer;
import dev.interlock.core.Options;
import dev.interlock.core.Ports;
import dev.interlock.core.Refusal;
import dev.interlock.core.Refused;
import dev.interlock.core.Settings;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ObserverTest {
    private static final LockName NAME = LockName.of("prod/db");
    private static final LockName OTHER = LockName.of("prod/web");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final World world = new World();
    private final List<LockEvent> seen = new CopyOnWriteArrayList<>();
    private final Locks locks = observedBy(seen::add);

    @Test
    void a_grant_is_seen_from_the_attempt_to_the_release() throws Exception {
        HeldLock lock = locks.acquire("prod/db");
        world.advance(MINUTE);
        lock.release();
        lock.close();

        assertThat(seen)
                .containsExactly(
                        new LockEvent.Attempted(NAME),
                        new LockEvent.Granted(NAME, Duration.ZERO),
                        new LockEvent.Released(NAME, MINUTE));
    }

    @Test
    void the_wait_for_a_grant_is_measured() {
        Lock held = heldElsewhere();
        var waiting = world.time.begin(() -> locks.acquire("prod/db", Options.waiting(HOUR)));

        world.advance(MINUTE);
        world.elsewhere.release(held);
        world.advance(Duration.ZERO);

        assertThat(waiting.isDone()).isTrue();
        assertThat(seen).containsExactly(new LockEvent.Attempted(NAME), new LockEvent.Granted(NAME, MINUTE));
    }

    @Test
    void a_refusal_is_seen_with_its_reason() {
        Lock held = heldElsewhere();

        assertThatThrownBy(() -> locks.acquire("prod/db")).isInstanceOf(Refused.class);

        assertThat(seen)
                .containsExactly(
                        new LockEvent.Attempted(NAME),
                        new LockEvent.Refused(NAME, new Refusal.Busy(held), Duration.ZERO));
    }

    @Test
    void a_store_that_does_not_answer_is_seen_once_however_often_it_was_asked() {
        world.store.fail(Flaky.Verb.ACQUIRE, Flaky.Fault.REQUEST_LOST, 3);

        assertThatThrownBy(() -> world.time.call(() -> locks.acquire("prod/db")))
                .isInstanceOf(StoreUnavailable.class);

        assertThat(seen)
                .containsExactly(new LockEvent.Attempted(NAME), new LockEvent.Unanswered(NAME, world.time.elapsed()));
        assertThat(world.store.calls(Flaky.Verb.ACQUIRE)).isEqualTo(3);
    }

    @Test
    void a_caller_that_gives_up_is_seen() {
        heldElsewhere();
        var waiting = world.time.begin(() -> locks.acquire("prod/db", Options.waiting(HOUR)));
        world.advance(MINUTE);

        waiting.interrupt();

        assertThat(seen).containsExactly(new LockEvent.Attempted(NAME), new LockEvent.Abandoned(NAME, MINUTE));
    }

    @Test
    void a_loss_is_seen_and_what_the_holder_gives_back_afterwards_is_no_release() throws Exception {
        HeldLock lock = locks.acquire("prod/db");
        world.elsewhere.force(new Force(NAME, lock.token(), "oncall", "wrong cluster", false));
        world.advance(MINUTE);
        lock.close();

        assertThat(seen.stream().map(LockEvent::getClass))
                .containsExactly(LockEvent.Attempted.class, LockEvent.Granted.class, LockEvent.Lost.class);
        assertThat(((LockEvent.Lost) seen.getLast()).why()).isEqualTo(new Loss.ForcedBy("oncall", "wrong cluster"));
    }

    @Test
    void a_grant_that_was_over_before_it_was_given_back_was_lost() throws Exception {
        HeldLock lock = locks.acquire("prod/db");
        world.expire(world.record("prod/db").latest().lease());
        lock.close();

        assertThat(seen.getLast()).isEqualTo(new LockEvent.Lost(NAME, Loss.Cause.EXPIRED, Duration.ZERO));
    }

    @Test
    void a_release_that_the_store_does_not_answer_is_one() throws Exception {
        HeldLock lock = locks.acquire("prod/db");
        world.store.fail(Flaky.Verb.RELEASE, Flaky.Fault.REQUEST_LOST, 1);
        lock.close();
        world.advance(MINUTE);

        assertThat(seen.getLast()).isEqualTo(new LockEvent.Released(NAME, Duration.ZERO));
        assertThat(seen).hasSize(3);
    }

    @Test
    void a_renewal_that_the_store_does_not_answer_is_seen_and_the_lock_stays_held() throws Exception {
        HeldLock lock = locks.acquire("prod/db");
        world.store.fail(Flaky.Verb.RENEW, Flaky.Fault.REQUEST_LOST, 1);
        world.advance(Settings.DEFAULT.lease().dividedBy(2));

        assertThat(seen)
                .containsExactly(
                        new LockEvent.Attempted(NAME),
                        new LockEvent.Granted(NAME, Duration.ZERO),
                        new LockEvent.Unrenewed());
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void what_falls_with_the_closing_of_the_process_was_given_back() throws Exception {
        locks.acquire("prod/db");
        locks.close();

        assertThat(seen.getLast()).isEqualTo(new LockEvent.Released(NAME, Duration.ZERO));
    }

    @Test
    void a_set_is_seen_as_its_locks() throws Exception {
        locks.acquireAll(List.of("prod/web", "prod/db"), Options.refusing()).close();
        locks.acquireAll(List.of("prod/web"), Options.waiting(HOUR));

        assertThat(seen)
                .containsExactly(
                        new LockEvent.Attempted(NAME),
                        new LockEvent.Attempted(OTHER),
                        new LockEvent.Granted(NAME, Duration.ZERO),
                        new LockEvent.Granted(OTHER, Duration.ZERO),
                        new LockEvent.Released(OTHER, Duration.ZERO),
                        new LockEvent.Released(NAME, Duration.ZERO),
                        new LockEvent.Attempted(OTHER),
                        new LockEvent.Granted(OTHER, Duration.ZERO));
    }

    @Test
    void an_observer_that_fails_costs_nobody_a_lock() throws Exception {
        Locks unlucky = observedBy(event -> {
            throw new IllegalStateException("out of memory for counters");
        });

        HeldLock lock = unlucky.acquire("prod/db");
        assertThat(lock.isHeld()).isTrue();
        lock.release();

        assertThat(world.isFree("prod/db")).isTrue();
    }

    /** The clock is the dearest thing that observing needs. */
    @Test
    void without_an_observer_the_clock_is_read_less_often() throws Exception {
        assertThat(readings(event -> {})).isEqualTo(readings(null) + 3);
    }

    /** Of the clock, for one lock taken and given back. */
    private int readings(Observer observer) throws InterruptedException {
        AtomicInteger readings = new AtomicInteger();
        Ports ports = world.time.ports();
        Ports counting = new Ports(
                () -> {
                    readings.incrementAndGet();
                    return ports.ticker().nanos();
                },
                ports.timers(),
                ports.tasks(),
                ports.entropy());
        Identity identity = new Identity("carol-host:1:abc", "carol@example.com");
        Locks counted = observer == null
                ? new Locks(world.store, identity, Settings.DEFAULT, counting)
                : new Locks(world.store, identity, Settings.DEFAULT, counting, observer);
        counted.acquire("prod/db").close();
        return readings.get();
    }

    private Locks observedBy(Observer observer) {
        return new Locks(
                world.store,
                new Identity("bob-host:1:abc", "bob@example.com"),
                Settings.DEFAULT,
                world.time.ports(),
                observer);
    }

    private Lock heldElsewhere() {
        world.elsewhere.acquire(World.stranger("prod/db", HOUR));
        return world.find("prod/db");
    }
}
