package dev.interlock.contract;

import static dev.interlock.contract.Answers.dropped;
import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.handed;
import static dev.interlock.contract.Answers.outcome;
import static dev.interlock.contract.Answers.queued;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Entry;
import dev.interlock.core.Handover;
import dev.interlock.core.Lock;
import dev.interlock.core.Place;
import org.junit.jupiter.api.Test;

/** Waits that end without the lock, and the limit of the queue. */
interface WaiterContract extends Scene {
    @Test
    @Rule({Catalogue.H1, Catalogue.WAITING})
    default void a_dead_waiter_is_skipped() {
        Worker carol = patient("carol");
        Lock lock = take(patient("alice").asks(NAME));
        Place dead = lineUp(worker("bob").asks(NAME));
        Place alive = lineUp(carol.asks(NAME));

        age(LEASE);
        here().release(lock);

        assertThat(outcome(dead)).isEqualTo(dropped(Handover.Reason.LEASE_ENDED));
        assertThat(handed(alive).holder()).isEqualTo(carol.holder());
        assertThat(current(NAME).holder()).isEqualTo(carol.holder());
    }

    @Test
    @Rule(Catalogue.A9)
    default void a_waiter_whose_time_is_over_is_skipped() {
        Worker carol = patient("carol");
        Lock lock = take(patient("alice").asks(NAME));
        Place over = queued(here().enter(patient("bob").asks(NAME), MINUTE, 10)).place();
        Place waiting = lineUp(carol.asks(NAME));

        age(MINUTE);
        here().release(lock);

        assertThat(outcome(over)).isEqualTo(dropped(Handover.Reason.WAITED_TOO_LONG));
        assertThat(handed(waiting).holder()).isEqualTo(carol.holder());
        assertThat(current(NAME).holder()).isEqualTo(carol.holder());
    }

    @Test
    @Rule({Catalogue.A9, Catalogue.H1})
    default void a_lock_whose_only_waiter_is_dead_becomes_free() {
        Lock lock = take(patient("alice").asks(NAME));
        lineUp(worker("bob").asks(NAME));

        age(LEASE);
        here().release(lock);

        assertThat(current(NAME).isHeld()).isFalse();
        assertThat(current(NAME).waiting()).isZero();
        granted(there().acquire(worker("carol").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.H5, Catalogue.A4})
    default void a_lock_handed_to_a_waiter_that_died_goes_to_the_next() {
        Worker carol = patient("carol");
        Lock lock = take(worker("alice").asks(NAME));
        lineUp(worker("bob").asks(NAME));
        Place place = lineUp(carol.asks(NAME));
        here().release(lock);

        age(LEASE);

        assertThat(handed(place).holder()).isEqualTo(carol.holder());
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.A8})
    default void a_waiter_may_leave() {
        Worker carol = worker("carol");
        Lock lock = take(worker("alice").asks(NAME));
        Place bobs = lineUp(worker("bob").asks(NAME));
        Place carols = lineUp(carol.asks(NAME));

        bobs.leave();

        assertThat(bobs.standing()).isEmpty();
        assertThat(here().waiters(NAME)).hasSize(1);
        assertThat(carols.standing().orElseThrow().position()).isEqualTo(1);
        here().release(lock);
        assertThat(handed(carols).holder()).isEqualTo(carol.holder());
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.A8})
    default void a_waiter_that_leaves_with_the_lock_already_handed_over_gives_it_back() {
        Worker bob = worker("bob");
        Worker carol = worker("carol");
        Lock lock = take(worker("alice").asks(NAME));
        Place bobs = lineUp(bob.asks(NAME));
        Place carols = lineUp(carol.asks(NAME));
        here().release(lock);
        handed(bobs);

        bobs.leave();
        bobs.leave();

        assertThat(current(NAME).holder()).isNotEqualTo(bob.holder());
        assertThat(handed(carols).holder()).isEqualTo(carol.holder());
        assertThat(current(NAME).holder()).isEqualTo(carol.holder());
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void a_waiter_can_be_cancelled_by_its_ticket() {
        Worker carol = worker("carol");
        Lock lock = take(worker("alice").asks(NAME));
        Place bobs = lineUp(worker("bob").asks(NAME));
        Place carols = lineUp(carol.asks(NAME));
        long ticket = here().waiters(NAME).getFirst().ticket();

        assertThat(there().dropWaiter(NAME, ticket, Answers.ACTOR)).isTrue();

        assertThat(bobs.standing()).isEmpty();
        assertThat(outcome(bobs)).isEqualTo(dropped(Handover.Reason.CANCELLED));
        here().release(lock);
        assertThat(handed(carols).holder()).isEqualTo(carol.holder());
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void a_waiter_that_is_not_there_cannot_be_cancelled() {
        Lock lock = take(worker("alice").asks(NAME));
        take(worker("carol").asks(OTHER));
        lineUp(worker("bob").asks(NAME));
        long ticket = here().waiters(NAME).getFirst().ticket();

        assertThat(there().dropWaiter(NAME, ticket + 1000, Answers.ACTOR)).isFalse();
        assertThat(there().dropWaiter(OTHER, ticket, Answers.ACTOR)).isFalse();
        assertThat(here().waiters(NAME)).hasSize(1);
        assertThat(there().dropWaiter(NAME, ticket, Answers.ACTOR)).isTrue();
        assertThat(there().dropWaiter(NAME, ticket, Answers.ACTOR)).isFalse();
        assertThat(current(NAME).token()).isEqualTo(lock.token());
    }

    @Test
    @Rule(Catalogue.QUEUE_LIMIT)
    default void a_full_queue_takes_nobody_else() {
        Lock lock = take(worker("alice").asks(NAME));
        queued(here().enter(worker("bob").asks(NAME), WAIT, 2));
        queued(here().enter(worker("carol").asks(NAME), WAIT, 2));

        Entry answer = here().enter(worker("dave").asks(NAME), WAIT, 2);

        assertThat(answer).isInstanceOf(Entry.QueueFull.class);
        assertThat(((Entry.QueueFull) answer).limit()).isEqualTo(2);
        assertThat(((Entry.QueueFull) answer).current().token()).isEqualTo(lock.token());
        assertThat(((Entry.QueueFull) answer).current().waiting()).isEqualTo(2);
        assertThat(here().waiters(NAME)).hasSize(2);
    }

    @Test
    @Rule(Catalogue.QUEUE_LIMIT)
    default void whoever_would_wait_behind_nobody_is_refused_by_a_busy_lock() {
        take(worker("alice").asks(NAME));

        assertThat(here().enter(worker("bob").asks(NAME), WAIT, 0)).isInstanceOf(Entry.QueueFull.class);
        assertThat(here().waiters(NAME)).isEmpty();
    }

    @Test
    @Rule({Catalogue.QUEUE_LIMIT, Catalogue.H1})
    default void the_dead_do_not_count_towards_the_limit() {
        take(patient("alice").asks(NAME));
        queued(here().enter(worker("bob").asks(NAME), WAIT, 1));

        age(LEASE);

        assertThat(queued(here().enter(worker("carol").asks(NAME), WAIT, 1)).position())
                .isEqualTo(1);
    }
}
