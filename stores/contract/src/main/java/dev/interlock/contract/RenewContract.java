package dev.interlock.contract;

import static dev.interlock.contract.Answers.RELEASED;
import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.lost;
import static dev.interlock.contract.Answers.refused;
import static dev.interlock.contract.Answers.renewed;
import static dev.interlock.contract.Answers.unseen;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Renewing one lock, by the lock. */
interface RenewContract extends Scene {
    @Test
    @Rule(Catalogue.RENEW)
    default void a_renewal_gives_a_full_lease_from_now() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));

        age(Duration.ofSeconds(20));
        Lock renewed = renewed(here().renew(lock));

        assertThat(renewed.token()).isEqualTo(lock.token());
        assertThat(renewed.holder()).isEqualTo(alice.holder());
        assertThat(renewed.status()).isEqualTo(Lock.Status.ACTIVE);
        assertThat(renewed.grant().renewedAt()).isAfter(renewed.grant().acquiredAt());
        assertThat(renewed.grant().expiresAt())
                .isEqualTo(renewed.grant().renewedAt().plus(LEASE));
        assertThat(unseen(current(NAME))).isEqualTo(unseen(renewed));
    }

    @Test
    @Rule({Catalogue.RENEW, Catalogue.HAZARD_4})
    default void a_lock_that_is_renewed_outlasts_its_first_lease() {
        Lock lock = take(worker("alice").asks(NAME));

        for (int round = 0; round < 5; round++) {
            age(Duration.ofSeconds(20));
            renewed(here().renew(lock));
        }

        assertThat(refused(there().acquire(worker("bob").asks(NAME))).token()).isEqualTo(lock.token());
    }

    @Test
    @Rule({Catalogue.RENEW, Catalogue.B4, Catalogue.REPEATS})
    default void a_renewal_may_be_repeated() {
        Lock lock = take(worker("alice").asks(NAME));

        Lock first = renewed(here().renew(lock));
        Lock second = renewed(here().renew(lock));
        Lock third = renewed(here().renew(first));

        assertThat(List.of(first.token(), second.token(), third.token())).containsOnly(lock.token());
    }

    @Test
    @Rule({Catalogue.RENEW, Catalogue.STATUS})
    default void a_renewal_after_expiry_is_lost_even_if_nobody_has_taken_over() {
        Lock lock = take(worker("alice").asks(NAME));

        age(LEASE);

        Lost lost = lost(here().renew(lock));
        assertThat(lost.why()).isEqualTo(Loss.Cause.EXPIRED);
        assertThat(lost.current()).isNotNull();
        assertThat(current(NAME).status()).isEqualTo(Lock.Status.EXPIRED);
        assertThat(granted(there().acquire(worker("bob").asks(NAME))).token()).isGreaterThan(lock.token());
    }

    @Test
    @Rule({Catalogue.RENEW, Catalogue.B5})
    default void a_renewal_after_takeover_is_lost_and_leaves_the_successor_alone() {
        Lock first = take(worker("alice").asks(NAME));
        age(LEASE);
        Lock second = take(worker("bob").asks(NAME));

        Lost lost = lost(here().renew(first));

        assertThat(lost.why()).isEqualTo(Loss.Cause.SUPERSEDED);
        assertThat(unseen(requireNonNull(lost.current()))).isEqualTo(unseen(second));
        assertThat(unseen(current(NAME))).isEqualTo(unseen(second));
    }

    @Test
    @Rule({Catalogue.RENEW, Catalogue.B12})
    default void a_released_lock_cannot_be_renewed() {
        Lock lock = take(worker("alice").asks(NAME));
        assertThat(here().release(lock)).isEqualTo(RELEASED);

        assertThat(lost(here().renew(lock)).why()).isEqualTo(Loss.Cause.ALREADY_RELEASED);
        assertThat(current(NAME).status()).isEqualTo(Lock.Status.RELEASED);
    }

    @Test
    @Rule(Catalogue.RENEW)
    default void a_lock_that_the_store_does_not_know_cannot_be_renewed() {
        Lock known = take(worker("alice").asks(NAME));
        Lock unknown = renamed(known);

        assertThat(here().renew(unknown)).isEqualTo(new Lost(Loss.Cause.FORGOTTEN, null));
        assertThat(here().find(OTHER)).isEmpty();
    }

    @Test
    @Rule(Catalogue.RENEW)
    default void a_token_that_was_never_granted_cannot_be_renewed() {
        Lock lock = take(worker("alice").asks(NAME));

        assertThat(lost(here().renew(withToken(lock, lock.token() + 1))).why()).isEqualTo(Loss.Cause.FORGOTTEN);
        assertThat(here().renew(withToken(lock, lock.token() - 1))).isInstanceOf(Lost.class);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(lock));
    }

    @Test
    @Rule(Catalogue.RENEW)
    default void somebody_elses_lock_cannot_be_renewed_with_its_token() {
        Lock lock = take(worker("alice").asks(NAME));

        Renewal answer = there().renew(worker("bob").claims(lock));

        assertThat(answer).isInstanceOf(Lost.class);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(lock));
    }

    @Test
    @Rule({Catalogue.RENEW, Catalogue.LEASES})
    default void renewing_one_lock_renews_the_lease_under_all_its_locks() {
        Worker alice = worker("alice");
        Lock one = take(alice.asks(NAME));
        take(alice.asks(OTHER));

        age(Duration.ofSeconds(20));
        renewed(here().renew(one));
        age(Duration.ofSeconds(20));

        assertThat(there().acquire(worker("bob").asks(OTHER))).isInstanceOf(Acquisition.Held.class);
    }

    @Test
    @Rule(Catalogue.D1)
    default void late_renewals_and_takeovers_at_once_leave_one_holder() {
        Lock lock = take(worker("alice").asks(NAME));
        age(LEASE);

        List<Object> answers = Together.run(
                20,
                number -> number % 2 == 0
                        ? here().renew(lock)
                        : there().acquire(worker("w" + number).asks(NAME)));

        assertThat(answers).filteredOn(Renewal.Renewed.class::isInstance).isEmpty();
        assertThat(answers).filteredOn(Acquisition.Granted.class::isInstance).hasSize(1);
        assertThat(current(NAME).token()).isGreaterThan(lock.token());
    }

    @Test
    @Rule(Catalogue.B12)
    default void a_renewal_beside_a_release_does_not_bring_the_lock_back() {
        Lock lock = take(worker("alice").asks(NAME));

        Together.run(10, number -> number == 5 ? here().release(lock) : there().renew(lock));

        assertThat(current(NAME).status()).isEqualTo(Lock.Status.RELEASED);
        assertThat(here().renew(lock)).isInstanceOf(Lost.class);
    }

    private static Lock renamed(Lock lock) {
        return new Lock(OTHER, lock.token(), lock.status(), lock.grant(), 0, null, lock.seenAt());
    }

    private static Lock withToken(Lock lock, long token) {
        return new Lock(lock.name(), token, lock.status(), lock.grant(), 0, null, lock.seenAt());
    }
}
