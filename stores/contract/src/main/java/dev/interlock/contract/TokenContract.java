package dev.interlock.contract;

import static dev.interlock.contract.Answers.force;
import static dev.interlock.contract.Answers.forceNow;
import static dev.interlock.contract.Answers.handed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Place;
import dev.interlock.core.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tokens strictly increase per name, for ever, however a grant ends. */
interface TokenContract extends Scene {
    @Test
    @Rule(Catalogue.TOKENS)
    default void a_token_is_a_positive_number_that_anyone_can_read() {
        Lock lock = take(worker("alice").asks(NAME));

        assertThat(lock.token()).isPositive();
        assertThat(there().find(NAME).orElseThrow().token()).isEqualTo(lock.token());
    }

    @Test
    @Rule(Catalogue.TOKENS)
    default void tokens_grow_however_a_grant_ends() {
        List<Long> tokens = new ArrayList<>();

        Lock released = taken(tokens);
        here().release(released);
        taken(tokens);
        age(LEASE);
        here().force(forceNow(taken(tokens)));
        Lock confirmed = taken(tokens);
        here().force(force(confirmed));
        here().release(confirmed);
        Worker ending = worker("ending");
        tokens.add(take(ending.asks(NAME)).token());
        here().end(ending.lease());
        Worker withdrawing = worker("withdrawing");
        tokens.add(take(withdrawing.asks(NAME)).token());
        here().withdraw(withdrawing.asks(NAME));
        tokens.add(take(patient("outlasting").asks(NAME, Terms.PLAIN.withMaxHold(MINUTE)))
                .token());
        age(MINUTE);
        Lock last = taken(tokens);
        Place place = lineUp(worker("waiting").asks(NAME));
        here().release(last);
        tokens.add(handed(place).token());

        assertThat(tokens).hasSize(9).isSorted().doesNotHaveDuplicates();
    }

    private Lock taken(List<Long> tokens) {
        Lock lock = take(worker("w" + tokens.size()).asks(NAME));
        tokens.add(lock.token());
        return lock;
    }

    @Test
    @Rule({Catalogue.TOKENS, Catalogue.A4})
    default void the_token_of_a_grant_that_nobody_used_is_never_used_again() {
        Worker alice = worker("alice");
        Lock unused = take(alice.asks(NAME));
        age(LEASE);

        Lock next = take(alice.onNewLease().asks(NAME));

        assertThat(next.token()).isGreaterThan(unused.token());
    }

    @Test
    @Rule({Catalogue.TOKENS, Catalogue.PRUNING, Catalogue.HAZARD_23})
    default void no_token_returns_after_its_record_was_pruned() {
        Lock first = take(worker("alice").asks(NAME));
        here().release(first);
        Lock second = take(worker("bob").asks(NAME));
        here().release(second);

        assertThat(here().prune(Duration.ZERO)).isEqualTo(1);
        Lock third = take(worker("carol").asks(NAME));
        here().release(third);
        here().prune(Duration.ZERO);
        Lock fourth = take(worker("dave").asks(NAME));

        assertThat(List.of(first.token(), second.token(), third.token(), fourth.token()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    @Rule({Catalogue.TOKENS, Catalogue.PRUNING, Catalogue.HAZARD_23})
    default void a_name_without_a_record_starts_above_every_token_that_was_pruned() {
        Lock high = take(worker("w").asks(NAME));
        for (int round = 0; round < 5; round++) {
            here().release(high);
            high = take(worker("w" + round).asks(NAME));
        }
        here().release(high);
        here().prune(Duration.ZERO);

        assertThat(take(worker("alice").asks(OTHER)).token()).isGreaterThan(high.token());
    }

    @Test
    @Rule({Catalogue.TOKENS, Catalogue.PRUNING})
    default void the_token_of_an_expired_grant_does_not_return_after_pruning() {
        Lock expired = take(worker("alice").asks(NAME));
        age(LEASE.multipliedBy(2));

        assertThat(here().prune(Duration.ZERO)).isEqualTo(1);

        assertThat(take(worker("bob").asks(NAME)).token()).isGreaterThan(expired.token());
    }

    @Test
    @Rule(Catalogue.TOKENS)
    default void pruning_does_not_disturb_the_count_of_what_is_in_use() {
        LockName used = LockName.of("in/use");
        Lock lock = take(worker("alice").asks(used));
        here().release(take(worker("bob").asks(NAME)));
        here().prune(Duration.ZERO);

        here().release(lock);

        assertThat(take(worker("carol").asks(used)).token()).isGreaterThan(lock.token());
    }

    @Test
    @Rule(Catalogue.TOKENS)
    default void tokens_grow_in_the_order_of_grants_among_many_at_once() {
        List<Long> order = new ArrayList<>();

        Together.run(8, number -> {
            for (int round = 0; round < 25; round++) {
                Worker worker = worker("w" + number + "-" + round);
                if (either(number).acquire(worker.asks(NAME)) instanceof Acquisition.Granted(Lock lock)) {
                    // Only the holder writes here, so this is the order of the grants.
                    synchronized (order) {
                        order.add(lock.token());
                    }
                    either(number).release(lock);
                }
            }
            return number;
        });

        assertThat(order).isNotEmpty().isSorted().doesNotHaveDuplicates();
    }
}
