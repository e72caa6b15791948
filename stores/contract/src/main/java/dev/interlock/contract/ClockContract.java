package dev.interlock.contract;

import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.refused;
import static dev.interlock.contract.Answers.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.Terms;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The store's clock decides, also when somebody sets it back. */
interface ClockContract extends Scene {
    @Test
    @Rule(Catalogue.F3)
    default void a_renewal_never_shortens_a_lease() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));
        age(Duration.ofHours(-1));
        Lock before = current(NAME);

        LeaseRenewal.Renewed renewed = renewed(renew(alice.lease()));

        assertThat(renewed.expiresAt()).isAfterOrEqualTo(before.grant().expiresAt());
        assertThat(current(NAME).grant().expiresAt()).isEqualTo(renewed.expiresAt());
    }

    @Test
    @Rule(Catalogue.F3)
    default void renewing_a_lock_never_shortens_its_lease() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        age(Duration.ofHours(-1));
        Lock before = current(NAME);

        Lock renewed = renewed(here().renew(lock));

        assertThat(renewed.grant().expiresAt()).isAfterOrEqualTo(before.grant().expiresAt());
    }

    @Test
    @Rule(Catalogue.F3)
    default void a_lease_outlives_a_clock_that_is_set_back() {
        Lock lock = take(worker("alice").asks(NAME));

        age(Duration.ofHours(-1));

        assertThat(refused(there().acquire(worker("bob").asks(NAME))).token()).isEqualTo(lock.token());
        assertThat(current(NAME).status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    @Rule(Catalogue.F5)
    default void the_longest_lease_and_terms_are_kept_to_the_day() {
        Terms longest = new Terms(Lease.LONGEST, Lease.LONGEST, Lease.LONGEST, null);
        Lock lock = take(Worker.named("alice", Lease.LONGEST).asks(NAME, longest));
        assertThat(Duration.between(lock.grant().acquiredAt(), lock.grant().expiresAt()))
                .isEqualTo(Lease.LONGEST);

        age(Lease.LONGEST.minusDays(1));
        refused(there().acquire(worker("bob").asks(NAME)));
        here().release(lock);
        age(Lease.LONGEST.minusDays(1));
        assertThat(current(NAME).closedUntil()).isNotNull();
        age(Duration.ofDays(2));

        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule(Catalogue.F5)
    default void the_shortest_lease_ends() {
        Lock lock = take(Worker.named("alice", Lease.SHORTEST).asks(NAME));
        assertThat(lock.grant().expiresAt()).isEqualTo(lock.grant().renewedAt().plus(Lease.SHORTEST));

        age(Lease.SHORTEST);

        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule(Catalogue.F5)
    default void a_lease_that_ended_long_ago_is_taken_over_like_any_other() {
        Lock lock = take(worker("alice").asks(NAME));

        age(Duration.ofDays(5000));

        assertThat(granted(there().acquire(worker("bob").asks(NAME))).token()).isGreaterThan(lock.token());
    }
}
