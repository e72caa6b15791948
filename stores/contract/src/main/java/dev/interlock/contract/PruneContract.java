package dev.interlock.contract;

import static dev.interlock.contract.Answers.unseen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Page;
import dev.interlock.core.Terms;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Records that nobody uses go away. */
interface PruneContract extends Scene {
    Duration RETENTION = Duration.ofDays(90);

    @Test
    @Rule({Catalogue.PRUNING, Catalogue.HAZARD_6})
    default void what_was_not_used_for_so_long_is_removed() {
        for (int number = 0; number < 50; number++) {
            here().release(take(worker("w").asks(LockName.of("once/" + number))));
        }

        age(RETENTION.plus(MINUTE));

        assertThat(here().prune(RETENTION)).isEqualTo(50);
        assertThat(there().list(LockFilter.ALL, Page.Request.FIRST).items()).isEmpty();
        assertThat(here().prune(RETENTION)).isZero();
    }

    @Test
    @Rule(Catalogue.PRUNING)
    default void what_was_used_lately_stays() {
        here().release(take(worker("alice").asks(NAME)));
        age(RETENTION.plus(MINUTE));
        Lock lock = take(worker("bob").asks(OTHER));
        here().release(lock);

        assertThat(here().prune(RETENTION)).isEqualTo(1);

        assertThat(there().find(NAME)).isEmpty();
        assertThat(there().find(OTHER).orElseThrow().token()).isEqualTo(lock.token());
    }

    @Test
    @Rule(Catalogue.PRUNING)
    default void what_is_held_stays() {
        Lock lock = take(worker("alice").asks(NAME));

        assertThat(here().prune(Duration.ZERO)).isZero();

        assertThat(unseen(current(NAME))).isEqualTo(unseen(lock));
    }

    @Test
    @Rule({Catalogue.PRUNING, Catalogue.WAITING})
    default void what_is_waited_for_stays() {
        here().release(take(worker("alice").asks(NAME, Terms.PLAIN.withCooldown(MINUTE))));
        lineUp(worker("bob").asks(NAME));

        assertThat(here().prune(Duration.ZERO)).isZero();

        assertThat(here().waiters(NAME)).hasSize(1);
    }

    @Test
    @Rule({Catalogue.PRUNING, Catalogue.COOLDOWN})
    default void what_is_still_closed_stays() {
        here().release(take(worker("alice").asks(NAME, Terms.PLAIN.withCooldown(MINUTE))));

        assertThat(here().prune(Duration.ZERO)).isZero();

        assertThat(here().acquire(worker("bob").asks(NAME))).isInstanceOf(Acquisition.Cooling.class);
    }

    @Test
    @Rule({Catalogue.PRUNING, Catalogue.LOCK_DELAY})
    default void what_is_still_closed_after_an_expiry_stays() {
        take(worker("alice").asks(NAME, Terms.PLAIN.withLockDelay(MINUTE)));
        age(LEASE);

        assertThat(here().prune(Duration.ZERO)).isZero();

        assertThat(here().acquire(worker("bob").asks(NAME))).isInstanceOf(Acquisition.Cooling.class);
    }

    @Test
    @Rule({Catalogue.PRUNING, Catalogue.F5})
    default void nothing_is_older_than_a_century() {
        here().release(take(worker("alice").asks(NAME)));

        assertThat(here().prune(Duration.ofDays(36_525))).isZero();
    }

    @Test
    @Rule({Catalogue.PRUNING, Catalogue.RENEW, Catalogue.RELEASE, Catalogue.HAZARD_1})
    default void a_holder_whose_record_was_pruned_touches_no_successor() {
        Lock forgotten = take(worker("alice").asks(NAME));
        age(LEASE.multipliedBy(2));
        here().prune(Duration.ZERO);

        assertThat(here().renew(forgotten)).isEqualTo(new Lost(Loss.Cause.FORGOTTEN, null));
        assertThat(here().release(forgotten)).isEqualTo(new Lost(Loss.Cause.FORGOTTEN, null));
        Lock second = take(worker("bob").asks(NAME));

        assertThat(here().renew(forgotten)).isInstanceOf(Lost.class);
        assertThat(here().release(forgotten)).isInstanceOf(Lost.class);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(second));
    }
}
