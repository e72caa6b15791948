package dev.interlock.contract;

import static dev.interlock.contract.Answers.FORCED;
import static dev.interlock.contract.Answers.RELEASED;
import static dev.interlock.contract.Answers.force;
import static dev.interlock.contract.Answers.forceNow;
import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.handed;
import static dev.interlock.contract.Answers.lost;
import static dev.interlock.contract.Answers.refused;
import static dev.interlock.contract.Answers.releasing;
import static dev.interlock.contract.Answers.renewed;
import static dev.interlock.contract.Answers.unseen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.Place;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A person ends somebody else's grant. */
interface ForceContract extends Scene {
    @Test
    @Rule({Catalogue.FORCE, Catalogue.STATUS})
    default void a_holder_is_told_to_stop_and_keeps_the_lock_until_it_has() {
        Lock lock = take(worker("alice").asks(NAME));

        Forcing.Releasing answer = releasing(there().force(force(lock)));

        assertThat(answer.previous().token()).isEqualTo(lock.token());
        assertThat(answer.previous().holder()).isEqualTo(lock.holder());
        assertThat(answer.until()).isEqualTo(lock.grant().expiresAt());
        Lock current = current(NAME);
        assertThat(current.status()).isEqualTo(Lock.Status.RELEASING);
        assertThat(current.isHeld()).isTrue();
        assertThat(current.grant().forced()).isEqualTo(new Lock.Forced(Answers.ACTOR, Answers.REASON));
        assertThat(refused(there().acquire(worker("bob").asks(NAME))).status()).isEqualTo(Lock.Status.RELEASING);
    }

    @Test
    @Rule(Catalogue.FORCE)
    default void a_lock_moves_on_the_moment_its_holder_confirms_that_it_stopped() {
        Lock lock = take(worker("alice").asks(NAME));
        there().force(force(lock));

        assertThat(here().release(lock)).isEqualTo(RELEASED);

        assertThat(current(NAME).isHeld()).isFalse();
        assertThat(take(worker("bob").asks(NAME)).token()).isGreaterThan(lock.token());
        assertThat(here().release(lock)).isEqualTo(RELEASED);
    }

    @Test
    @Rule(Catalogue.FORCE)
    default void a_lock_moves_on_to_the_next_in_the_queue_when_its_holder_confirms() {
        Assumptions.assumeTrue(fair());
        Worker bob = worker("bob");
        Lock lock = take(worker("alice").asks(NAME));
        Place place = lineUp(bob.asks(NAME));
        there().force(force(lock));
        assertThat(current(NAME).holder()).isEqualTo(lock.holder());

        here().release(lock);

        assertThat(current(NAME).holder()).isEqualTo(bob.holder());
        assertThat(handed(place).token()).isGreaterThan(lock.token());
    }

    /** Other locks may keep the lease alive; a holder that ignores the order gains nothing by that. */
    @Test
    @Rule({Catalogue.FORCE, Catalogue.LEASES})
    default void a_lock_moves_on_at_the_promised_instant_however_often_its_lease_is_renewed() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        take(alice.asks(OTHER));
        there().force(force(lock));

        age(Duration.ofSeconds(20));
        renewed(renew(alice.lease()));
        age(Duration.ofSeconds(20));

        assertThat(current(NAME).isHeld()).isFalse();
        assertThat(take(worker("bob").asks(NAME)).token()).isGreaterThan(lock.token());
        assertThat(current(OTHER).holder()).isEqualTo(alice.holder());
    }

    @Test
    @Rule(Catalogue.FORCE)
    default void forcing_without_waiting_frees_the_lock_at_once() {
        Lock lock = take(worker("alice").asks(NAME));

        Forcing answer = there().force(forceNow(lock));

        assertThat(answer).isInstanceOf(Forcing.Released.class);
        assertThat(((Forcing.Released) answer).previous().holder()).isEqualTo(lock.holder());
        assertThat(current(NAME).isHeld()).isFalse();
        assertThat(granted(there().acquire(worker("bob").asks(NAME))).token()).isGreaterThan(lock.token());
    }

    @Test
    @Rule({Catalogue.FORCE, Catalogue.WAITING})
    default void forcing_without_waiting_hands_the_lock_to_the_next_in_the_same_step() {
        Assumptions.assumeTrue(fair());
        Worker bob = worker("bob");
        Lock lock = take(worker("alice").asks(NAME));
        Place place = lineUp(bob.asks(NAME));

        there().force(forceNow(lock));

        assertThat(current(NAME).holder()).isEqualTo(bob.holder());
        assertThat(handed(place).token()).isGreaterThan(lock.token());
    }

    @Test
    @Rule(Catalogue.FORCE)
    default void forcing_may_stop_waiting_for_a_holder_that_does_not_stop() {
        Lock lock = take(worker("alice").asks(NAME));
        releasing(there().force(force(lock)));

        assertThat(there().force(forceNow(lock))).isInstanceOf(Forcing.Released.class);

        assertThat(current(NAME).isHeld()).isFalse();
    }

    @Test
    @Rule({Catalogue.FORCE, Catalogue.REPEATS})
    default void an_order_to_stop_may_be_repeated() {
        Lock lock = take(worker("alice").asks(NAME));

        Forcing.Releasing first = releasing(there().force(force(lock)));
        Forcing.Releasing second = releasing(there().force(force(lock)));

        assertThat(second.until()).isEqualTo(first.until());
        assertThat(here().release(lock)).isEqualTo(RELEASED);
    }

    @Test
    @Rule(Catalogue.FORCE)
    default void a_newer_holder_than_the_one_seen_is_never_hit() {
        Lock seen = take(worker("alice").asks(NAME));
        here().release(seen);
        Lock newer = take(worker("bob").asks(NAME));

        Forcing answer = there().force(forceNow(seen));

        assertThat(answer).isInstanceOf(Forcing.Moved.class);
        assertThat(unseen(((Forcing.Moved) answer).current())).isEqualTo(unseen(newer));
        assertThat(there().force(force(seen))).isInstanceOf(Forcing.Moved.class);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(newer));
    }

    @Test
    @Rule(Catalogue.FORCE)
    default void a_token_that_nobody_can_have_seen_hits_nobody() {
        Lock lock = take(worker("alice").asks(NAME));
        Force order = new Force(NAME, lock.token() + 1, Answers.ACTOR, Answers.REASON, true);

        assertThat(there().force(order)).isInstanceOf(Forcing.Moved.class);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(lock));
    }

    @Test
    @Rule(Catalogue.FORCE)
    default void there_is_nothing_to_force_where_nobody_holds() {
        Force unknown = new Force(OTHER, 1, Answers.ACTOR, Answers.REASON, false);
        Lock released = take(worker("alice").asks(NAME));
        here().release(released);

        assertThat(there().force(unknown)).isEqualTo(new Forcing.Free());
        assertThat(there().force(force(released))).isEqualTo(new Forcing.Free());
        assertThat(there().force(forceNow(released))).isEqualTo(new Forcing.Free());
        assertThat(there().find(OTHER)).isEmpty();
    }

    @Test
    @Rule(Catalogue.FORCE)
    default void there_is_nothing_to_force_when_the_lease_has_ended() {
        Lock lock = take(worker("alice").asks(NAME));

        age(LEASE);

        assertThat(there().force(force(lock))).isEqualTo(new Forcing.Free());
    }

    @Test
    @Rule({Catalogue.FORCE, Catalogue.RENEW})
    default void a_forced_holder_cannot_renew() {
        Lock lock = take(worker("alice").asks(NAME));
        there().force(force(lock));

        assertThat(lost(here().renew(lock)).why()).isEqualTo(FORCED);
        assertThat(current(NAME).grant().expiresAt()).isEqualTo(lock.grant().expiresAt());
    }

    @Test
    @Rule({Catalogue.FORCE, Catalogue.ACQUIRE})
    default void a_forced_holder_does_not_get_its_grant_back_by_asking_again() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        there().force(force(lock));

        assertThat(refused(here().acquire(alice.asks(NAME))).status()).isEqualTo(Lock.Status.RELEASING);
        assertThat(current(NAME).status()).isEqualTo(Lock.Status.RELEASING);
    }

    @Test
    @Rule({Catalogue.FORCE, Catalogue.RENEW, Catalogue.RELEASE})
    default void a_forced_holder_is_told_who_forced_it_whoever_holds_by_now() {
        Lock lock = take(worker("alice").asks(NAME));
        there().force(forceNow(lock));

        assertThat(lost(here().renew(lock)).why()).isEqualTo(FORCED);
        Lock second = take(worker("bob").asks(NAME));

        assertThat(lost(here().renew(lock)).why()).isEqualTo(FORCED);
        assertThat(lost(here().release(lock)).why()).isEqualTo(FORCED);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(second));
    }

    @Test
    @Rule({Catalogue.FORCE, Catalogue.HAZARD_16})
    default void the_next_renewal_of_its_lease_tells_a_holder_that_it_must_stop() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        take(alice.asks(OTHER));
        there().force(force(lock));

        assertThat(renewed(renew(alice.lease())).taken())
                .containsExactly(new LeaseRenewal.Taken(NAME, lock.token(), FORCED));
    }

    @Test
    @Rule({Catalogue.FORCE, Catalogue.HAZARD_16})
    default void the_next_renewal_of_its_lease_tells_a_holder_that_its_lock_is_gone() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        there().force(forceNow(lock));
        take(worker("bob").asks(NAME));

        assertThat(renewed(renew(alice.lease())).taken())
                .containsExactly(new LeaseRenewal.Taken(NAME, lock.token(), FORCED));
    }

    /** The answer that carries the notice may be lost, and the renewal is asked again. */
    @Test
    @Rule({Catalogue.FORCE, Catalogue.HAZARD_16, Catalogue.REPEATS, Catalogue.B4})
    default void a_holder_is_told_with_every_renewal_until_it_has_answered() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        there().force(force(lock));
        LeaseRenewal.Taken notice = new LeaseRenewal.Taken(NAME, lock.token(), FORCED);

        assertThat(renewed(renew(alice.lease())).taken()).containsExactly(notice);
        assertThat(renewed(renew(alice.lease())).taken()).containsExactly(notice);
        here().release(lock);

        assertThat(renewed(renew(alice.lease())).taken()).isEmpty();
    }

    @Test
    @Rule({Catalogue.FORCE, Catalogue.LEASES})
    default void forcing_one_lock_leaves_the_holders_other_locks_alone() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        Lock other = take(alice.asks(OTHER));

        there().force(forceNow(lock));

        assertThat(unseen(current(OTHER))).isEqualTo(unseen(other));
        renewed(here().renew(other));
    }

    @Test
    @Rule(Catalogue.FORCE)
    default void a_forced_holder_may_ask_for_the_lock_anew_when_it_has_moved_on() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        there().force(forceNow(lock));

        assertThat(take(alice.asks(NAME)).token()).isGreaterThan(lock.token());
        assertThat(current(NAME).grant().forced()).isNull();
    }
}
