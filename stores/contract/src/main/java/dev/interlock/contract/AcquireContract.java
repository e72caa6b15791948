package dev.interlock.contract;

import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.refused;
import static dev.interlock.contract.Answers.unseen;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Acquisition;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Asking for one lock without waiting. */
interface AcquireContract extends Scene {
    @Test
    @Rule(Catalogue.ACQUIRE)
    default void a_free_lock_is_granted_for_a_full_lease() {
        Worker alice = worker("alice");

        Lock lock = take(alice.asks(NAME));

        assertThat(lock.name()).isEqualTo(NAME);
        assertThat(lock.status()).isEqualTo(Lock.Status.ACTIVE);
        assertThat(lock.holder()).isEqualTo(alice.holder());
        assertThat(lock.grant().lease()).isEqualTo(alice.lease().id());
        assertThat(lock.grant().renewedAt()).isAfterOrEqualTo(lock.grant().acquiredAt());
        assertThat(lock.grant().expiresAt()).isEqualTo(lock.grant().renewedAt().plus(LEASE));
        assertThat(lock.grant().maintenance()).isNull();
        assertThat(lock.grant().forced()).isNull();
        assertThat(lock.waiting()).isZero();
        assertThat(lock.closedUntil()).isNull();
        assertThat(lock.remaining()).isPositive().isLessThanOrEqualTo(LEASE);
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.FIND})
    default void what_was_granted_is_what_every_process_finds() {
        Lock lock = take(worker("alice").asks(NAME));

        assertThat(here().find(NAME).map(Answers::unseen)).contains(unseen(lock));
        assertThat(there().find(NAME).map(Answers::unseen)).contains(unseen(lock));
    }

    @Test
    @Rule(Catalogue.ACQUIRE)
    default void a_held_lock_is_refused_and_the_refusal_names_its_holder() {
        Lock lock = take(worker("alice").asks(NAME));

        Lock obstacle = refused(there().acquire(worker("bob").asks(NAME)));

        assertThat(unseen(obstacle)).isEqualTo(unseen(lock));
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.LEASES})
    default void a_refused_request_leaves_nothing_behind() {
        Worker bob = worker("bob");
        Lock lock = take(worker("alice").asks(NAME));

        refused(here().acquire(bob.asks(NAME)));

        assertThat(unseen(current(NAME))).isEqualTo(unseen(lock));
        assertThat(here().waiters(NAME)).isEmpty();
        assertThat(renew(bob.lease())).isEqualTo(new LeaseRenewal.Ended(bob.lease(), Loss.Cause.FORGOTTEN));
    }

    @Test
    @Rule(Catalogue.ACQUIRE)
    default void different_locks_do_not_block_each_other() {
        Lock one = take(worker("alice").asks(NAME));
        Lock other = take(worker("bob").asks(OTHER));

        assertThat(current(NAME).holder()).isEqualTo(one.holder());
        assertThat(current(OTHER).holder()).isEqualTo(other.holder());
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.D5, Catalogue.A4})
    default void an_expired_lock_is_taken_over_by_the_next_request() {
        Lock first = take(worker("alice").asks(NAME));
        Worker bob = worker("bob");

        age(LEASE);
        Lock second = granted(there().acquire(bob.asks(NAME)));

        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(second.holder()).isEqualTo(bob.holder());
        assertThat(second.grant().expiresAt())
                .isEqualTo(second.grant().renewedAt().plus(LEASE));
    }

    @Test
    @Rule(Catalogue.ACQUIRE)
    default void a_lock_is_not_taken_over_before_its_lease_has_ended() {
        Lock lock = take(worker("alice").asks(NAME));

        age(LEASE.minusSeconds(10));

        assertThat(refused(there().acquire(worker("bob").asks(NAME))).token()).isEqualTo(lock.token());
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.A6, Catalogue.REPEATS})
    default void the_same_holder_asking_again_gets_its_own_grant_back() {
        Worker alice = worker("alice");
        Lock first = take(alice.asks(NAME));

        Lock again = take(alice.asks(NAME));

        assertThat(again.token()).isEqualTo(first.token());
        assertThat(again.holder()).isEqualTo(first.holder());
        assertThat(again.grant().acquiredAt()).isEqualTo(first.grant().acquiredAt());
        assertThat(again.status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.A6})
    default void asking_again_renews_the_grant() {
        Worker alice = worker("alice");
        Lock first = take(alice.asks(NAME));

        age(LEASE.minusSeconds(10));
        Lock again = take(alice.asks(NAME));
        age(LEASE.minusSeconds(10));

        assertThat(again.token()).isEqualTo(first.token());
        assertThat(refused(there().acquire(worker("bob").asks(NAME))).token()).isEqualTo(first.token());
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.A4})
    default void the_same_holder_asking_again_after_expiry_gets_a_new_grant() {
        Worker alice = worker("alice");
        Lock first = take(alice.asks(NAME));

        age(LEASE);
        Lock second = take(alice.onNewLease().asks(NAME));

        assertThat(second.token()).isGreaterThan(first.token());
    }

    /**
     * The holder that asks again keeps alive the lease it names now, and perhaps no other. If the grant stayed on the
     * earlier one it would expire under a holder that has every reason to trust it.
     */
    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.LEASES, Catalogue.A6})
    default void asking_again_on_another_lease_hangs_the_grant_on_that_lease() {
        Worker alice = worker("alice");
        Lock first = take(alice.asks(NAME));

        Lock again = take(alice.onNewLease(LONG_LEASE).asks(NAME));
        age(LEASE.multipliedBy(2));

        assertThat(again.token()).isEqualTo(first.token());
        assertThat(refused(there().acquire(worker("bob").asks(NAME))).token()).isEqualTo(first.token());
        assertThat(here().renew(again)).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.HAZARD_18})
    default void another_attempt_is_another_holder() {
        Worker first = worker("alice");
        Lock lock = take(first.asks(NAME));

        Lock obstacle = refused(here().acquire(first.attempt(2).asks(NAME)));

        assertThat(obstacle.token()).isEqualTo(lock.token());
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.A10, Catalogue.HAZARD_2})
    default void another_execution_in_the_same_process_is_another_holder() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));

        Lock obstacle = refused(here().acquire(alice.sibling("exec-sibling").asks(NAME)));

        assertThat(obstacle.token()).isEqualTo(lock.token());
    }

    @Test
    @Rule(Catalogue.ACQUIRE)
    default void the_same_execution_in_another_process_is_another_holder() {
        Lock lock = take(worker("alice").asks(NAME));

        Lock obstacle = refused(there().acquire(worker("alice").asks(NAME)));

        assertThat(obstacle.token()).isEqualTo(lock.token());
    }

    @Test
    @Rule({Catalogue.A10, Catalogue.HAZARD_2})
    default void of_a_hundred_requests_at_once_one_is_granted() {
        Worker process = worker("alice");

        List<Acquisition> answers = Together.run(
                100,
                number ->
                        either(number).acquire(process.sibling("exec-" + number).asks(NAME)));

        List<Lock> grants = answers.stream()
                .filter(Acquisition.Granted.class::isInstance)
                .map(Answers::granted)
                .toList();
        assertThat(grants).hasSize(1);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(grants.getFirst()));
        assertThat(answers)
                .filteredOn(Acquisition.Held.class::isInstance)
                .hasSize(99)
                .allSatisfy(answer -> assertThat(refused(answer).holder())
                        .isEqualTo(grants.getFirst().holder()));
    }

    @Test
    @Rule({Catalogue.A12, Catalogue.A6, Catalogue.REPEATS})
    default void a_request_that_arrives_many_times_at_once_is_granted_once() {
        Worker alice = worker("alice");

        List<Acquisition> answers = Together.run(20, number -> either(number).acquire(alice.asks(NAME)));

        assertThat(answers.stream().map(answer -> granted(answer).token()).distinct())
                .containsExactly(current(NAME).token());
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.TAKEOVER})
    default void of_many_that_would_take_over_an_expired_lock_one_does() {
        take(worker("alice").asks(NAME));

        age(LEASE);
        List<Acquisition> answers = Together.run(
                30, number -> either(number).acquire(worker("w" + number).asks(NAME)));

        assertThat(answers).filteredOn(Acquisition.Granted.class::isInstance).hasSize(1);
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.LEASES})
    default void a_request_on_an_expired_lease_is_not_granted() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));

        age(LEASE);

        assertThatThrownBy(() -> here().acquire(alice.asks(OTHER))).isInstanceOf(LeaseEnded.class);
        assertThatThrownBy(() -> here().enter(alice.asks(OTHER), WAIT, 10)).isInstanceOf(LeaseEnded.class);
        assertThat(here().find(OTHER)).isEmpty();
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.LEASES})
    default void a_request_on_a_lease_that_was_given_up_is_not_granted() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));

        here().end(alice.lease());

        assertThatThrownBy(() -> there().acquire(alice.asks(NAME))).isInstanceOf(LeaseEnded.class);
        assertThat(current(NAME).isHeld()).isFalse();
    }

    @Test
    @Rule({Catalogue.ACQUIRE, Catalogue.LEASES})
    default void the_locks_of_one_lease_expire_together() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));

        age(Duration.ofSeconds(10));
        take(alice.sibling("exec-2").asks(OTHER));

        assertThat(current(OTHER).grant().expiresAt())
                .isEqualTo(current(NAME).grant().expiresAt());
    }
}
