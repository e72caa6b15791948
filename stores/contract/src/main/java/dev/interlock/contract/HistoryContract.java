package dev.interlock.contract;

import static dev.interlock.contract.Answers.force;
import static dev.interlock.contract.Answers.forceNow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Entry;
import dev.interlock.core.Lock;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Terms;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What happened to a lock can be read afterwards, each thing once. */
interface HistoryContract extends Scene {
    Set<Past.Event> TENURES =
            EnumSet.of(Past.Event.RELEASED, Past.Event.EXPIRED, Past.Event.FORCED, Past.Event.HELD_TOO_LONG);

    @Test
    @Rule(Catalogue.HISTORY)
    default void a_released_tenure_is_in_the_history() {
        Lock lock = take(worker("alice").asks(NAME));
        here().release(lock);

        assertThat(history()).singleElement().satisfies(past -> {
            assertThat(past.event()).isEqualTo(Past.Event.RELEASED);
            assertThat(past.token()).isEqualTo(lock.token());
            assertThat(past.holder()).isEqualTo(lock.holder());
            assertThat(past.began()).isEqualTo(lock.grant().acquiredAt());
            assertThat(past.ended()).isAfterOrEqualTo(past.began());
        });
    }

    @Test
    @Rule(Catalogue.HISTORY)
    default void a_tenure_is_not_past_while_it_lasts() {
        take(worker("alice").asks(NAME));

        assertThat(history()).isEmpty();
    }

    @Test
    @Rule(Catalogue.HISTORY)
    default void an_expired_tenure_is_in_the_history_when_another_has_taken_over() {
        Lock expired = take(worker("alice").asks(NAME));
        age(LEASE);
        take(worker("bob").asks(NAME));

        assertThat(history()).singleElement().satisfies(past -> {
            assertThat(past.event()).isEqualTo(Past.Event.EXPIRED);
            assertThat(past.token()).isEqualTo(expired.token());
            assertThat(past.holder()).isEqualTo(expired.holder());
        });
    }

    @Test
    @Rule({Catalogue.HISTORY, Catalogue.MAX_HOLD})
    default void a_tenure_that_was_too_long_is_in_the_history_when_another_has_taken_over() {
        Lock lock = take(patient("alice").asks(NAME, Terms.PLAIN.withMaxHold(MINUTE)));
        age(MINUTE);
        take(worker("bob").asks(NAME));

        assertThat(history()).singleElement().satisfies(past -> {
            assertThat(past.event()).isEqualTo(Past.Event.HELD_TOO_LONG);
            assertThat(past.token()).isEqualTo(lock.token());
        });
    }

    @Test
    @Rule({Catalogue.HISTORY, Catalogue.FORCE})
    default void a_forced_tenure_is_in_the_history_with_who_and_why() {
        Lock lock = take(worker("alice").asks(NAME));
        here().force(forceNow(lock));

        assertThat(history()).filteredOn(this::isTenure).singleElement().satisfies(past -> {
            assertThat(past.event()).isEqualTo(Past.Event.FORCED);
            assertThat(past.token()).isEqualTo(lock.token());
            assertThat(past.holder()).isEqualTo(lock.holder());
            assertThat(past.detail()).contains(Answers.ACTOR, Answers.REASON);
        });
    }

    @Test
    @Rule({Catalogue.HISTORY, Catalogue.FORCE})
    default void an_order_to_stop_is_in_the_history_before_the_holder_has() {
        Lock lock = take(worker("alice").asks(NAME));
        here().force(force(lock));

        assertThat(history()).singleElement().satisfies(past -> {
            assertThat(past.event()).isEqualTo(Past.Event.FORCE_ORDERED);
            assertThat(past.token()).isEqualTo(lock.token());
            assertThat(past.detail()).contains(Answers.ACTOR, Answers.REASON);
        });
        here().release(lock);
        assertThat(history()).filteredOn(this::isTenure).hasSize(1);
    }

    @Test
    @Rule(Catalogue.HISTORY)
    default void a_refusal_is_in_the_history_of_the_lock() {
        Worker bob = worker("bob");
        take(worker("alice").asks(NAME));
        there().acquire(bob.asks(NAME));

        assertThat(history()).singleElement().satisfies(past -> {
            assertThat(past.event()).isEqualTo(Past.Event.REFUSED);
            assertThat(past.holder()).isEqualTo(bob.holder());
            assertThat(past.began()).isEqualTo(past.ended());
        });
    }

    @Test
    @Rule({Catalogue.HISTORY, Catalogue.SETS, Catalogue.QUEUE_LIMIT, Catalogue.COOLDOWN})
    default void every_kind_of_refusal_is_in_the_history() {
        Worker bob = worker("bob");
        Lock lock = take(worker("alice").asks(NAME, Terms.PLAIN.withCooldown(MINUTE)));
        here().acquireAll(List.of(bob.asks(NAME), bob.asks(OTHER)));
        assertThat(here().enter(bob.asks(NAME), WAIT, 0)).isInstanceOf(Entry.QueueFull.class);
        here().release(lock);
        here().acquire(bob.asks(NAME));

        assertThat(history())
                .extracting(Past::event)
                .containsExactly(Past.Event.REFUSED, Past.Event.RELEASED, Past.Event.REFUSED, Past.Event.REFUSED);
    }

    @Test
    @Rule({Catalogue.HISTORY, Catalogue.REPEATS})
    default void a_repeated_request_is_in_the_history_once() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        take(alice.asks(NAME));
        here().release(lock);
        here().release(lock);
        here().end(alice.lease());
        here().withdraw(alice.asks(NAME));

        assertThat(history()).extracting(Past::event).containsExactly(Past.Event.RELEASED);
    }

    @Test
    @Rule(Catalogue.HISTORY)
    default void the_newest_comes_first_and_pages_show_everything_once() {
        List<Long> tokens = new ArrayList<>();
        for (int round = 0; round < 7; round++) {
            Lock lock = take(worker("w" + round).asks(NAME));
            tokens.addFirst(lock.token());
            here().release(lock);
        }

        for (int size : List.of(1, 3, 7, 8)) {
            List<Long> seen = new ArrayList<>();
            String after = null;
            do {
                Page<Past> page = there().history(NAME, new Page.Request(after, size));
                assertThat(page.items()).isNotEmpty().hasSizeLessThanOrEqualTo(size);
                page.items().forEach(past -> seen.add(past.token()));
                after = page.next();
            } while (after != null);
            assertThat(seen).containsExactlyElementsOf(tokens);
        }
    }

    @Test
    @Rule(Catalogue.HISTORY)
    default void each_lock_has_its_own_history() {
        here().release(take(worker("alice").asks(NAME)));
        here().release(take(worker("bob").asks(OTHER)));

        assertThat(history()).hasSize(1);
    }

    private boolean isTenure(Past past) {
        return TENURES.contains(past.event());
    }

    private List<Past> history() {
        return there().history(NAME, Page.Request.FIRST).items();
    }
}
