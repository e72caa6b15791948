package dev.interlock.contract;

import static dev.interlock.contract.Answers.RELEASED;
import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.handed;
import static dev.interlock.contract.Answers.lost;
import static dev.interlock.contract.Answers.queued;
import static dev.interlock.contract.Answers.refused;
import static dev.interlock.contract.Answers.renewed;
import static dev.interlock.contract.Answers.unseen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Handover;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Place;
import dev.interlock.core.Renewal;
import dev.interlock.core.SetAcquisition;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Leases as records: one write keeps alive all that hangs on them, and it falls with them. */
interface LeaseContract extends Scene {
    @Test
    @Rule({Catalogue.LEASES, Catalogue.HAZARD_4})
    default void one_renewal_keeps_all_locks_of_a_lease() {
        Worker alice = worker("alice");
        List<LockName> names = IntStream.range(0, 200)
                .mapToObj(number -> LockName.of("fleet/host-" + number))
                .toList();
        assertThat(here().acquireAll(names.stream().map(alice::asks).toList()))
                .isInstanceOf(SetAcquisition.AllGranted.class);

        age(Duration.ofSeconds(20));
        renewed(renew(alice.lease()));
        age(Duration.ofSeconds(20));

        assertThat(names).allSatisfy(name -> {
            assertThat(current(name).status()).isEqualTo(Lock.Status.ACTIVE);
            assertThat(current(name).holder()).isEqualTo(alice.holder());
        });
    }

    @Test
    @Rule(Catalogue.LEASES)
    default void a_renewed_lease_lasts_a_full_lease_from_now() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));

        age(Duration.ofSeconds(20));
        LeaseRenewal.Renewed renewed = renewed(renew(alice.lease()));

        Lock lock = current(NAME);
        assertThat(renewed)
                .isEqualTo(new LeaseRenewal.Renewed(alice.lease(), lock.grant().expiresAt(), List.of()));
        assertThat(lock.grant().expiresAt()).isEqualTo(lock.grant().renewedAt().plus(LEASE));
    }

    @Test
    @Rule(Catalogue.LEASES)
    default void each_lease_gets_its_own_answer_in_order() {
        Worker expired = worker("expired");
        Worker alive = patient("alive");
        Worker unknown = worker("unknown");
        Worker over = worker("over");
        take(expired.asks(LockName.of("a")));
        take(alive.asks(LockName.of("b")));
        take(over.asks(LockName.of("c")));
        here().end(over.lease());
        age(LEASE);

        List<LeaseRenewal> answers =
                here().renew(List.of(expired.lease(), alive.lease(), unknown.lease(), over.lease()));

        assertThat(answers)
                .containsExactly(
                        new LeaseRenewal.Ended(expired.lease(), Loss.Cause.EXPIRED),
                        new LeaseRenewal.Renewed(
                                alive.lease(), current(LockName.of("b")).grant().expiresAt(), List.of()),
                        new LeaseRenewal.Ended(unknown.lease(), Loss.Cause.FORGOTTEN),
                        new LeaseRenewal.Ended(over.lease(), Loss.Cause.ALREADY_RELEASED));
    }

    @Test
    @Rule(Catalogue.LEASES)
    default void renewing_no_lease_is_answered_with_nothing() {
        assertThat(here().renew(List.of())).isEmpty();
    }

    @Test
    @Rule(Catalogue.LEASES)
    default void a_lease_that_has_expired_stays_ended() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));

        age(LEASE);

        LeaseRenewal ended = new LeaseRenewal.Ended(alice.lease(), Loss.Cause.EXPIRED);
        assertThat(renew(alice.lease())).isEqualTo(ended);
        assertThat(renew(alice.lease())).isEqualTo(ended);
        assertThat(current(NAME).status()).isEqualTo(Lock.Status.EXPIRED);
    }

    @Test
    @Rule({Catalogue.LEASES, Catalogue.STATUS})
    default void all_locks_of_an_expired_lease_are_free() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));
        take(alice.sibling("exec-2").asks(OTHER));

        age(LEASE);

        assertThat(current(NAME).status()).isEqualTo(Lock.Status.EXPIRED);
        assertThat(current(OTHER).status()).isEqualTo(Lock.Status.EXPIRED);
        assertThat(current(OTHER).remaining()).isZero();
        granted(there().acquire(worker("bob").asks(NAME)));
        granted(there().acquire(worker("carol").asks(OTHER)));
    }

    @Test
    @Rule({Catalogue.TAKEOVER, Catalogue.B5})
    default void a_lease_cannot_be_renewed_after_a_takeover() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));
        age(LEASE);
        Lock second = take(worker("bob").asks(NAME));

        assertThat(renew(alice.lease())).isEqualTo(new LeaseRenewal.Ended(alice.lease(), Loss.Cause.EXPIRED));
        assertThat(unseen(current(NAME))).isEqualTo(unseen(second));
    }

    /**
     * A lease that had merely looked expired would be alive again when the clock is set back, and its holder would
     * trust a lock that another has. Only a lease that was revoked before the grant stays ended.
     */
    @Test
    @Rule({Catalogue.TAKEOVER, Catalogue.F3})
    default void a_lease_stays_revoked_when_the_clock_is_set_back_after_a_takeover() {
        Worker alice = worker("alice");
        Lock first = take(alice.asks(NAME));
        Lock sibling = take(alice.asks(OTHER));
        age(LEASE);
        Lock second = take(worker("bob").asks(NAME));

        age(Duration.ofSeconds(-20));

        assertThat(renew(alice.lease())).isInstanceOf(LeaseRenewal.Ended.class);
        assertThat(here().renew(first)).isNotInstanceOf(Renewal.Renewed.class);
        assertThat(here().renew(sibling)).isNotInstanceOf(Renewal.Renewed.class);
        assertThat(current(OTHER).isHeld()).isFalse();
        assertThat(current(NAME).token()).isEqualTo(second.token());
    }

    @Test
    @Rule({Catalogue.TAKEOVER, Catalogue.LEASES})
    default void a_takeover_hands_the_other_locks_of_the_lease_to_those_who_wait() {
        Assumptions.assumeTrue(fair());
        Worker alice = worker("alice");
        Worker carol = patient("carol");
        take(alice.asks(NAME));
        take(alice.asks(OTHER));
        Place place = lineUp(carol.asks(OTHER));

        age(LEASE);
        take(worker("bob").asks(NAME));

        assertThat(handed(place).holder()).isEqualTo(carol.holder());
        assertThat(current(OTHER).holder()).isEqualTo(carol.holder());
    }

    @Test
    @Rule({Catalogue.LEASES, Catalogue.H1})
    default void a_place_in_a_queue_falls_with_its_lease() {
        take(patient("alice").asks(NAME));
        Place place = lineUp(worker("bob").asks(NAME));

        age(LEASE);

        assertThat(here().waiters(NAME)).isEmpty();
        assertThat(place.standing()).isEmpty();
        assertThat(Answers.outcome(place)).isEqualTo(Answers.dropped(Handover.Reason.LEASE_ENDED));
    }

    @Test
    @Rule(Catalogue.LEASES)
    default void a_place_in_a_queue_is_kept_by_the_renewal_of_its_lease() {
        Worker bob = worker("bob");
        take(patient("alice").asks(NAME));
        Place place = lineUp(bob.asks(NAME));

        age(Duration.ofSeconds(20));
        renewed(renew(bob.lease()));
        age(Duration.ofSeconds(20));

        assertThat(place.standing().orElseThrow().position()).isEqualTo(1);
    }

    @Test
    @Rule(Catalogue.LEASES)
    default void a_lease_that_is_given_up_frees_all_its_locks_and_places_at_once() {
        Assumptions.assumeTrue(fair());
        Worker alice = worker("alice");
        Worker bob = worker("bob");
        Lock lock = take(alice.asks(NAME));
        Place bobs = lineUp(bob.asks(NAME));
        take(worker("carol").asks(OTHER));
        Place alices = lineUp(alice.asks(OTHER));

        here().end(alice.lease());

        assertThat(current(NAME).holder()).isEqualTo(bob.holder());
        assertThat(handed(bobs).token()).isGreaterThan(lock.token());
        assertThat(here().waiters(OTHER)).isEmpty();
        assertThat(Answers.outcome(alices)).isEqualTo(Answers.dropped(Handover.Reason.LEASE_ENDED));
    }

    @Test
    @Rule({Catalogue.LEASES, Catalogue.REPEATS})
    default void giving_up_a_lease_may_be_repeated_and_touches_no_successor() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));
        here().end(alice.lease());
        Lock second = take(worker("bob").asks(NAME));

        here().end(alice.lease());
        here().end(worker("nobody").lease());

        assertThat(unseen(current(NAME))).isEqualTo(unseen(second));
        assertThat(renew(alice.lease())).isEqualTo(new LeaseRenewal.Ended(alice.lease(), Loss.Cause.ALREADY_RELEASED));
    }

    @Test
    @Rule(Catalogue.LEASES)
    default void a_holder_learns_that_its_lease_was_given_up_elsewhere() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));

        there().end(alice.lease());

        assertThat(here().release(lock)).isEqualTo(RELEASED);
        assertThat(lost(here().renew(lock)).why()).isEqualTo(Loss.Cause.ALREADY_RELEASED);
    }

    @Test
    @Rule(Catalogue.LEASES)
    default void a_lease_outlives_the_locks_that_were_released_from_it() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        take(alice.asks(OTHER));

        here().release(lock);
        age(Duration.ofSeconds(20));
        renewed(renew(alice.lease()));
        age(Duration.ofSeconds(20));

        assertThat(current(NAME).status()).isEqualTo(Lock.Status.RELEASED);
        assertThat(refused(there().acquire(worker("bob").asks(OTHER))).holder()).isEqualTo(alice.holder());
    }

    @Test
    @Rule({Catalogue.LEASES, Catalogue.STATUS})
    default void a_released_lock_keeps_the_times_of_its_own_tenure() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        take(alice.asks(OTHER));
        here().release(lock);
        Lock released = current(NAME);

        renewed(renew(alice.lease()));

        assertThat(unseen(current(NAME))).isEqualTo(unseen(released));
    }

    @Test
    @Rule({Catalogue.LEASES, Catalogue.C1})
    default void what_a_process_held_stays_held_until_its_lease_ends_when_the_process_goes_away() {
        Lock lock = granted(there().acquire(worker("alice").asks(NAME)));

        there().close();

        assertThat(refused(here().acquire(worker("bob").asks(NAME))).token()).isEqualTo(lock.token());
        age(LEASE);
        assertThat(take(worker("bob").asks(NAME)).token()).isGreaterThan(lock.token());
    }

    @Test
    @Rule({Catalogue.LEASES, Catalogue.H1})
    default void a_process_that_goes_away_stops_waiting_and_its_place_falls_with_its_lease() {
        Lock lock = take(patient("alice").asks(NAME));
        Place place = queued(there().enter(worker("bob").asks(NAME), WAIT, 10)).place();

        there().close();
        age(LEASE);
        here().release(lock);

        assertThat(place.handover()).isCompletedExceptionally();
        assertThat(take(worker("carol").asks(NAME)).token()).isGreaterThan(lock.token());
    }
}
