package dev.interlock.contract;

import static dev.interlock.contract.Answers.forceNow;
import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.handed;
import static dev.interlock.contract.Answers.lost;
import static dev.interlock.contract.Answers.refused;
import static dev.interlock.contract.Answers.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Place;
import dev.interlock.core.Terms;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Cooldown, lock-delay and maximum hold: what a lock's terms say beyond its lease. */
interface ClosingContract extends Scene {
    Terms COOLING = Terms.PLAIN.withCooldown(MINUTE);
    Terms DELAYED = Terms.PLAIN.withLockDelay(MINUTE);
    Terms BOUNDED = Terms.PLAIN.withMaxHold(MINUTE);

    @Test
    @Rule(Catalogue.COOLDOWN)
    default void a_lock_is_closed_for_a_while_after_a_clean_release() {
        Lock lock = take(worker("alice").asks(NAME, COOLING));
        here().release(lock);

        Acquisition.Cooling answer = cooling(there().acquire(worker("bob").asks(NAME)));

        assertThat(answer.last().token()).isEqualTo(lock.token());
        assertThat(answer.last().holder()).isEqualTo(lock.holder());
        assertThat(answer.last().isHeld()).isFalse();
        assertThat(answer.last().closedUntil()).isEqualTo(answer.until());
        assertThat(current(NAME).closedUntil()).isEqualTo(answer.until());
        assertThat(left(answer)).isBetween(MINUTE.minusSeconds(20), MINUTE);
    }

    @Test
    @Rule(Catalogue.COOLDOWN)
    default void a_cooldown_holds_for_its_last_holder_too() {
        Worker alice = worker("alice");
        here().release(take(alice.asks(NAME, COOLING)));

        cooling(here().acquire(alice.asks(NAME)));
    }

    @Test
    @Rule(Catalogue.COOLDOWN)
    default void a_lock_opens_when_its_cooldown_is_over() {
        here().release(take(worker("alice").asks(NAME, COOLING)));

        age(MINUTE.minusSeconds(20));
        cooling(there().acquire(worker("bob").asks(NAME)));
        age(Duration.ofSeconds(20));

        assertThat(current(NAME).closedUntil()).isNull();
        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.COOLDOWN, Catalogue.LEASES})
    default void giving_up_a_lease_is_a_clean_end() {
        Worker alice = worker("alice");
        take(alice.asks(NAME, COOLING.withLockDelay(Duration.ofHours(5))));

        here().end(alice.lease());

        assertThat(left(cooling(here().acquire(worker("bob").asks(NAME))))).isLessThanOrEqualTo(MINUTE);
    }

    @Test
    @Rule({Catalogue.COOLDOWN, Catalogue.LOCK_DELAY})
    default void an_expiry_starts_no_cooldown() {
        take(worker("alice").asks(NAME, COOLING));

        age(LEASE);

        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.COOLDOWN, Catalogue.F6})
    default void a_cooldown_is_not_shortened_when_the_clock_is_set_back() {
        here().release(take(worker("alice").asks(NAME, COOLING)));

        age(Duration.ofSeconds(-40));
        age(MINUTE.minusSeconds(10));

        cooling(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule(Catalogue.LOCK_DELAY)
    default void a_lock_is_closed_for_a_while_after_an_expiry() {
        Lock lock = take(worker("alice").asks(NAME, DELAYED));

        age(LEASE.plusSeconds(10));

        Acquisition.Cooling answer = cooling(there().acquire(worker("bob").asks(NAME)));
        assertThat(answer.last().token()).isEqualTo(lock.token());
        assertThat(left(answer)).isBetween(MINUTE.minusSeconds(30), MINUTE.minusSeconds(10));
        age(MINUTE.minusSeconds(10));
        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.LOCK_DELAY, Catalogue.FORCE})
    default void a_lock_is_closed_for_a_while_after_it_was_forced() {
        here().force(forceNow(take(worker("alice").asks(NAME, DELAYED))));

        cooling(there().acquire(worker("bob").asks(NAME)));
        age(MINUTE);

        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.LOCK_DELAY, Catalogue.FORCE})
    default void a_forced_holder_that_confirms_leaves_no_lock_delay() {
        Lock lock = take(worker("alice").asks(NAME, DELAYED));
        here().force(Answers.force(lock));

        here().release(lock);

        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule(Catalogue.LOCK_DELAY)
    default void a_clean_release_leaves_no_lock_delay() {
        here().release(take(worker("alice").asks(NAME, DELAYED)));

        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.LOCK_DELAY, Catalogue.WAITING})
    default void a_waiter_does_not_get_the_lock_before_the_lock_delay_is_over() {
        Worker bob = patient("bob");
        take(worker("alice").asks(NAME, DELAYED));
        Place place = lineUp(bob.asks(NAME));

        age(LEASE);
        refused(there().acquire(worker("carol").asks(NAME)));
        assertThat(current(NAME).isHeld()).isFalse();
        assertThat(place.standing().orElseThrow().position()).isEqualTo(1);
        age(MINUTE);

        assertThat(handed(place).holder()).isEqualTo(bob.holder());
    }

    @Test
    @Rule({Catalogue.MAX_HOLD, Catalogue.B13})
    default void a_grant_ends_at_its_maximum_hold_however_often_it_is_renewed() {
        Lock lock = take(worker("alice").asks(NAME, BOUNDED));
        for (int round = 0; round < 2; round++) {
            age(Duration.ofSeconds(20));
            renewed(here().renew(lock));
        }
        assertThat(current(NAME).grant().expiresAt())
                .isEqualTo(current(NAME).grant().acquiredAt().plus(MINUTE));

        age(Duration.ofSeconds(20));

        assertThat(lost(here().renew(lock)).why()).isEqualTo(Loss.Cause.HELD_TOO_LONG);
        assertThat(current(NAME).status()).isEqualTo(Lock.Status.EXPIRED);
        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.MAX_HOLD, Catalogue.HAZARD_16})
    default void the_holder_is_told_that_its_grant_has_reached_its_maximum_hold() {
        Worker alice = patient("alice");
        Lock lock = take(alice.asks(NAME, BOUNDED));
        Lock other = take(alice.asks(OTHER));

        age(MINUTE);
        LeaseRenewal.Taken notice = new LeaseRenewal.Taken(NAME, lock.token(), Loss.Cause.HELD_TOO_LONG);

        assertThat(renewed(renew(alice.lease())).taken()).containsExactly(notice);
        assertThat(renewed(renew(alice.lease())).taken()).containsExactly(notice);
        assertThat(lost(here().release(lock)).why()).isEqualTo(Loss.Cause.HELD_TOO_LONG);
        assertThat(renewed(renew(alice.lease())).taken()).isEmpty();
        assertThat(current(OTHER).token()).isEqualTo(other.token());
        assertThat(current(OTHER).status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    @Rule({Catalogue.MAX_HOLD, Catalogue.A6})
    default void asking_again_does_not_prolong_the_maximum_hold() {
        Worker alice = patient("alice");
        Lock lock = take(alice.asks(NAME, BOUNDED));
        age(Duration.ofSeconds(40));
        assertThat(take(alice.asks(NAME, BOUNDED)).token()).isEqualTo(lock.token());

        age(Duration.ofSeconds(40));

        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.MAX_HOLD, Catalogue.LOCK_DELAY})
    default void a_lock_delay_follows_the_maximum_hold() {
        take(patient("alice").asks(NAME, BOUNDED.withLockDelay(MINUTE)));

        age(MINUTE);

        cooling(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.MAX_HOLD, Catalogue.WAITING})
    default void a_waiter_gets_a_lock_that_was_held_too_long() {
        Worker bob = patient("bob");
        take(patient("alice").asks(NAME, BOUNDED));
        Place place = lineUp(bob.asks(NAME));

        age(MINUTE);

        assertThat(handed(place).holder()).isEqualTo(bob.holder());
    }

    private static Acquisition.Cooling cooling(Acquisition answer) {
        assertThat(answer).isInstanceOf(Acquisition.Cooling.class);
        return (Acquisition.Cooling) answer;
    }

    private static Duration left(Acquisition.Cooling answer) {
        Instant seenAt = answer.last().seenAt();
        return Duration.between(seenAt, answer.until());
    }
}
