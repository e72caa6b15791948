package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.HeldLock;
import dev.interlock.core.Lock;
import dev.interlock.core.Locks;
import dev.interlock.core.Loss;
import dev.interlock.core.Options;
import dev.interlock.core.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the leases of a process are kept alive, as its locks and the store see it. */
class LeaseKeeperTest {
    private final World world = new World();

    @Test
    void a_lease_is_renewed_at_a_third_of_it() throws Exception {
        world.locks.acquire("prod/db");

        world.advance(seconds(10).minusMillis(1));
        assertThat(renewals()).isZero();
        world.advance(Duration.ofMillis(1));
        assertThat(renewals()).isEqualTo(1);
        world.advance(seconds(10));

        assertThat(renewals()).isEqualTo(2);
        assertThat(world.find("prod/db").grant().expiresAt()).isEqualTo(World.START.plusSeconds(50));
    }

    @Test
    void a_lease_is_renewed_at_the_part_that_the_settings_say() throws Exception {
        Settings late = new Settings(Duration.ofSeconds(30), 0.8, 0.9, 3);
        HeldLock lock = world.process("bob", late).acquire("prod/db");

        world.advance(seconds(23));
        assertThat(renewals()).isZero();
        world.advance(seconds(2));

        assertThat(renewals()).isEqualTo(1);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void work_goes_on_for_as_long_as_the_store_answers() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");

        world.advance(Duration.ofHours(3));

        assertThat(lock.isHeld()).isTrue();
        assertThat(world.find("prod/db").token()).isEqualTo(lock.token());
    }

    @Test
    void one_request_per_round_serves_many_locks() throws Exception {
        List<HeldLock> held = new ArrayList<>();
        for (int number = 0; number < 50; number++) {
            held.add(world.locks.acquire("host/" + number));
        }
        held.add(world.locks.acquire("host/long", Options.refusing().withLease(Duration.ofSeconds(31))));

        world.advance(seconds(35));

        assertThat(held).allMatch(HeldLock::isHeld);
        assertThat(renewals()).isLessThanOrEqualTo(4);
        assertThat(held.stream().map(lock -> lock.lock().grant().lease()).distinct())
                .as("one lease for each duration")
                .hasSize(2);
    }

    @Test
    void leases_of_different_lengths_are_each_renewed_in_time() throws Exception {
        HeldLock brief = world.locks.acquire("a", Options.refusing().withLease(seconds(6)));
        world.advance(seconds(1));
        HeldLock usual = world.locks.acquire("b");
        world.advance(seconds(1));
        HeldLock longer = world.locks.acquire("c", Options.refusing().withLease(Duration.ofHours(1)));

        for (int second = 0; second < 120; second++) {
            world.advance(seconds(1));
            assertThat(List.of(brief, usual, longer)).allMatch(HeldLock::isHeld);
        }
    }

    @Test
    void a_lock_taken_late_on_a_lease_is_trusted_no_longer_than_the_lease() throws Exception {
        world.locks.acquire("prod/db");
        world.advance(seconds(9));

        assertThat(world.locks.acquire("prod/other").remaining()).isEqualTo(seconds(11));
    }

    @Test
    void trust_counts_from_before_the_renewal_was_sent() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        var gate = world.store.delay(Flaky.Verb.RENEW);
        world.advance(seconds(14));

        gate.complete(null);
        world.advance(Duration.ZERO);

        assertThat(lock.remaining()).isEqualTo(seconds(16));
    }

    @Test
    void trust_counts_from_before_the_request_was_sent() {
        var gate = world.store.delay(Flaky.Verb.ACQUIRE);
        var asking = world.time.begin(() -> world.locks.acquire("prod/db"));
        world.advance(seconds(4));

        gate.complete(null);
        world.advance(Duration.ZERO);

        assertThat(asking.result().remaining()).isEqualTo(seconds(16));
    }

    @Test
    void a_renewal_whose_answer_is_lost_counts_as_unconfirmed_and_is_asked_again() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.fail(Flaky.Verb.RENEW, Flaky.Fault.ANSWER_LOST, 1);

        world.advance(seconds(10));
        assertThat(lock.remaining()).isEqualTo(seconds(10));
        world.advance(seconds(2));

        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.remaining()).isGreaterThan(seconds(18));
    }

    @Test
    void several_failures_are_survived_before_the_deadline() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.cut();

        world.advance(seconds(18));
        world.store.heal();
        world.advance(seconds(2));

        assertThat(renewals()).isGreaterThan(3);
        assertThat(lock.isHeld()).isTrue();
        world.advance(Duration.ofMinutes(1));
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void a_store_that_is_down_is_not_hammered() throws Exception {
        world.locks.acquire("prod/db", Options.refusing().withLease(Duration.ofHours(1)));
        world.store.cut();

        world.advance(Duration.ofMinutes(39));

        assertThat(renewals()).isBetween(3, 60);
    }

    @Test
    void a_renewal_that_dies_of_a_bug_is_tried_again() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.fail(Flaky.Verb.RENEW, Flaky.Fault.BUG, 2);

        world.advance(seconds(15));

        assertThat(world.time.crashes()).hasSize(2);
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.remaining()).isGreaterThan(seconds(10));
    }

    @Test
    void renewals_that_keep_dying_of_a_bug_are_a_loss() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.fail(Flaky.Verb.RENEW, Flaky.Fault.BUG, 10_000);

        world.advance(seconds(20));

        assertThat(lock.loss()).contains(Loss.Cause.UNCONFIRMED);
    }

    @Test
    void a_slow_store_has_at_most_one_renewal_in_flight_and_does_not_delay_the_loss() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        var gate = world.store.delay(Flaky.Verb.RENEW);

        world.advance(seconds(20));
        assertThat(lock.loss()).contains(Loss.Cause.UNCONFIRMED);
        world.advance(Duration.ofMinutes(1));
        assertThat(renewals()).isEqualTo(1);
        gate.complete(null);
        world.advance(Duration.ofMinutes(1));

        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void a_lease_that_nothing_hangs_on_is_ended() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        lock.close();

        world.advance(seconds(10));

        assertThat(world.store.calls(Flaky.Verb.END)).isEqualTo(1);
        assertThat(renewals()).isZero();
        world.advance(Duration.ofMinutes(5));
        assertThat(renewals()).isZero();
        assertThat(world.store.calls(Flaky.Verb.END)).isEqualTo(1);
    }

    @Test
    void a_lease_that_was_never_used_is_forgotten_without_a_word_to_the_store() throws Exception {
        world.elsewhere.acquire(World.stranger("prod/db", Duration.ofHours(1)));
        world.locks.tryAcquire("prod/db", Options.refusing());

        world.advance(Duration.ofMinutes(5));

        assertThat(renewals()).isZero();
        assertThat(world.store.calls(Flaky.Verb.END)).isZero();
    }

    @Test
    void after_an_idle_lease_was_ended_the_next_lock_gets_a_new_one() throws Exception {
        HeldLock first = world.locks.acquire("prod/db");
        first.close();
        world.advance(seconds(15));

        HeldLock second = world.locks.acquire("prod/db");
        world.advance(Duration.ofMinutes(1));

        assertThat(second.lock().grant().lease())
                .isNotEqualTo(first.lock().grant().lease());
        assertThat(second.isHeld()).isTrue();
    }

    @Test
    void an_idle_lease_that_cannot_be_ended_does_not_keep_others_from_being_renewed() throws Exception {
        HeldLock kept = world.locks.acquire("a", Options.refusing().withLease(seconds(20)));
        world.locks.acquire("b").close();
        world.store.fail(Flaky.Verb.END, Flaky.Fault.BUG, 10);

        world.advance(Duration.ofMinutes(1));

        assertThat(kept.isHeld()).isTrue();
    }

    @Test
    void after_a_loss_the_next_lock_gets_a_new_lease() throws Exception {
        HeldLock lost = world.locks.acquire("prod/db");
        world.store.cut();
        world.advance(seconds(25));
        world.store.heal();

        HeldLock next = world.locks.acquire("prod/other");
        world.advance(Duration.ofMinutes(1));

        assertThat(lost.isHeld()).isFalse();
        assertThat(next.isHeld()).isTrue();
    }

    /** Before the first answer there is nothing to renew, and nothing to be busy with either. */
    @Test
    void a_first_request_that_takes_long_is_waited_for_in_peace() {
        var gate = world.store.delay(Flaky.Verb.ACQUIRE);
        var asking = world.time.begin(() -> world.locks.acquire("prod/db"));

        world.advance(seconds(15));
        gate.complete(null);
        world.advance(seconds(5));

        assertThat(asking.result().isHeld()).isTrue();
        assertThat(renewals()).isEqualTo(1);
    }

    @Test
    void a_lease_that_ended_in_the_store_takes_all_its_locks_along() throws Exception {
        HeldLock one = world.locks.acquire("a");
        HeldLock other = world.locks.acquire("b");
        world.store.fail(Flaky.Verb.RENEW, Flaky.Fault.REQUEST_LOST, 1);
        world.expire(world.record("a").latest().lease());

        world.advance(seconds(13));

        assertThat(one.loss()).contains(Loss.Cause.EXPIRED);
        assertThat(other.loss()).contains(Loss.Cause.EXPIRED);
    }

    @Test
    void closing_gives_everything_back_at_once() throws Exception {
        HeldLock one = world.locks.acquire("a");
        HeldLock other = world.locks.acquire("b", Options.refusing().withLease(Duration.ofHours(1)));

        world.locks.close();
        world.advance(Duration.ZERO);

        assertThat(world.find("a").status()).isEqualTo(Lock.Status.RELEASED);
        assertThat(world.find("b").status()).isEqualTo(Lock.Status.RELEASED);
        assertThat(one.isHeld()).isFalse();
        assertThat(other.isHeld()).isFalse();
        assertThatThrownBy(() -> world.locks.acquire("a")).isInstanceOf(IllegalStateException.class);
        world.advance(Duration.ofMinutes(5));
        assertThat(renewals()).isZero();
    }

    @Test
    void closing_while_the_store_cannot_answer_leaves_the_rest_to_the_leases() throws Exception {
        world.locks.acquire("a");
        world.store.cut();

        world.locks.close();
        world.advance(World.LEASE);

        assertThat(world.isFree("a")).isTrue();
    }

    @Test
    void processes_do_not_keep_each_others_leases() throws Exception {
        Locks bobs = world.process("bob");
        HeldLock alice = world.locks.acquire("a");
        HeldLock bob = bobs.acquire("b");

        world.locks.close();
        world.advance(Duration.ofMinutes(1));

        assertThat(alice.isHeld()).isFalse();
        assertThat(bob.isHeld()).isTrue();
    }

    private int renewals() {
        return world.store.calls(Flaky.Verb.RENEW);
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
