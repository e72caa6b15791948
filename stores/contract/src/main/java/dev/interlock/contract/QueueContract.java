package dev.interlock.contract;

import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.handed;
import static dev.interlock.contract.Answers.queued;
import static dev.interlock.contract.Answers.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Entry;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.Place;
import dev.interlock.core.Standing;
import dev.interlock.core.Terms;
import dev.interlock.core.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Waiting for a lock. */
interface QueueContract extends Scene {
    @Test
    @Rule(Catalogue.WAITING)
    default void whoever_is_ready_to_wait_gets_a_free_lock_at_once() {
        Worker alice = worker("alice");

        Lock lock = granted(here().enter(alice.asks(NAME), WAIT, 0));

        assertThat(lock.holder()).isEqualTo(alice.holder());
        assertThat(here().waiters(NAME)).isEmpty();
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.A6, Catalogue.REPEATS})
    default void whoever_is_ready_to_wait_for_its_own_lock_gets_it_back() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));

        assertThat(granted(here().enter(alice.asks(NAME), WAIT, 10)).token()).isEqualTo(lock.token());
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void whoever_is_ready_to_wait_takes_over_an_expired_lock_at_once() {
        Lock lock = take(worker("alice").asks(NAME));

        age(LEASE);

        assertThat(granted(there().enter(worker("bob").asks(NAME), WAIT, 10)).token())
                .isGreaterThan(lock.token());
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void a_waiter_has_a_place_in_the_queue() {
        Worker bob = worker("bob");
        Lock lock = take(worker("alice").asks(NAME));

        Entry.Queued queued = queued(here().enter(bob.asks(NAME), MINUTE, 10));

        assertThat(queued.position()).isEqualTo(1);
        assertThat(queued.current().token()).isEqualTo(lock.token());
        Standing standing = queued.place().standing().orElseThrow();
        assertThat(standing.position()).isEqualTo(1);
        assertThat(standing.current().holder()).isEqualTo(lock.holder());
        assertThat(there().waiters(NAME)).singleElement().satisfies(waiter -> {
            assertThat(waiter.position()).isEqualTo(1);
            assertThat(waiter.holder()).isEqualTo(bob.holder());
            assertThat(waiter.until()).isEqualTo(waiter.since().plus(MINUTE));
        });
        assertThat(current(NAME).waiting()).isEqualTo(1);
        assertThat(current(NAME).token()).isEqualTo(lock.token());
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void a_released_lock_is_handed_to_the_head_of_the_queue_in_the_same_step() {
        Assumptions.assumeTrue(fair());
        Worker bob = worker("bob");
        Lock first = take(worker("alice").asks(NAME));
        Place place = lineUp(bob.asks(NAME));

        there().release(first);

        Lock held = current(NAME);
        assertThat(held.holder()).isEqualTo(bob.holder());
        assertThat(held.status()).isEqualTo(Lock.Status.ACTIVE);
        assertThat(held.grant().lease()).isEqualTo(bob.lease().id());
        assertThat(held.waiting()).isZero();
        assertThat(held.token()).isGreaterThan(first.token());
        assertThat(Answers.unseen(handed(place))).isEqualTo(Answers.unseen(held));
        assertThat(place.standing()).isEmpty();
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void waiters_are_served_first_come_first_served() {
        Assumptions.assumeTrue(fair());
        Lock lock = take(worker("alice").asks(NAME));
        List<Worker> workers = List.of(worker("bob"), worker("carol"), worker("dave"));
        List<Place> places = new ArrayList<>();
        for (int number = 0; number < workers.size(); number++) {
            places.add(queued(either(number).enter(workers.get(number).asks(NAME), WAIT, 10))
                    .place());
        }
        assertThat(here().waiters(NAME).stream().map(Waiter::holder))
                .containsExactlyElementsOf(workers.stream().map(Worker::holder).toList());
        assertThat(here().waiters(NAME).stream().map(Waiter::position)).containsExactly(1, 2, 3);
        assertThat(here().waiters(NAME).stream().map(Waiter::ticket)).isSorted().doesNotHaveDuplicates();

        for (int number = 0; number < workers.size(); number++) {
            here().release(lock);
            assertThat(current(NAME).holder()).isEqualTo(workers.get(number).holder());
            lock = handed(places.get(number));
        }
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.H2, Catalogue.REPEATS})
    default void a_waiter_that_asks_again_keeps_its_place() {
        Worker bob = worker("bob");
        Worker carol = worker("carol");
        Lock lock = take(worker("alice").asks(NAME));
        lineUp(bob.asks(NAME));
        lineUp(carol.asks(NAME));
        List<Waiter> before = here().waiters(NAME);

        Entry.Queued again = queued(here().enter(bob.asks(NAME), WAIT, 10));

        assertThat(again.position()).isEqualTo(1);
        assertThat(here().waiters(NAME).stream().map(Waiter::ticket))
                .containsExactlyElementsOf(before.stream().map(Waiter::ticket).toList());
        here().release(lock);
        assertThat(handed(again.place()).holder()).isEqualTo(bob.holder());
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.H2, Catalogue.QUEUE_LIMIT})
    default void a_waiter_that_asks_again_is_not_kept_out_by_its_own_place() {
        Worker bob = worker("bob");
        take(worker("alice").asks(NAME));
        queued(here().enter(bob.asks(NAME), WAIT, 1));

        assertThat(queued(here().enter(bob.asks(NAME), WAIT, 1)).position()).isEqualTo(1);
        assertThat(here().waiters(NAME)).hasSize(1);
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.LEASES, Catalogue.H2})
    default void a_waiter_that_asks_again_on_another_lease_waits_on_that_lease() {
        Worker bob = worker("bob");
        Lock lock = take(patient("alice").asks(NAME));
        lineUp(bob.asks(NAME));

        Place place = lineUp(bob.onNewLease(LONG_LEASE).asks(NAME));
        age(LEASE);
        here().release(lock);

        assertThat(handed(place).holder()).isEqualTo(bob.holder());
        assertThat(current(NAME).holder()).isEqualTo(bob.holder());
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.A10})
    default void two_executions_of_one_process_wait_one_behind_the_other() {
        Worker bob = worker("bob");
        take(worker("alice").asks(NAME));

        lineUp(bob.asks(NAME));
        Entry.Queued second = queued(here().enter(bob.sibling("exec-2").asks(NAME), WAIT, 10));

        assertThat(second.position()).isEqualTo(2);
        assertThat(here().waiters(NAME)).hasSize(2);
    }

    @Test
    @Rule(Catalogue.H6)
    default void a_newcomer_does_not_pass_those_who_wait_for_a_closed_lock() {
        Assumptions.assumeTrue(fair());
        Worker bob = patient("bob");
        here().release(take(worker("alice").asks(NAME, Terms.PLAIN.withCooldown(MINUTE))));
        Place place = lineUp(bob.asks(NAME));

        refused(there().acquire(worker("newcomer").asks(NAME)));
        assertThat(queued(there().enter(patient("late").asks(NAME), WAIT, 10)).position())
                .isEqualTo(2);
        age(MINUTE);
        refused(there().acquire(worker("newcomer").asks(NAME)));

        assertThat(handed(place).holder()).isEqualTo(bob.holder());
        assertThat(current(NAME).holder()).isEqualTo(bob.holder());
    }

    @Test
    @Rule({Catalogue.H6, Catalogue.WAITING})
    default void a_newcomer_does_not_pass_those_who_wait_for_an_expired_lock() {
        Assumptions.assumeTrue(fair());
        Worker bob = patient("bob");
        take(worker("alice").asks(NAME));
        Place place = lineUp(bob.asks(NAME));

        age(LEASE);
        refused(there().acquire(worker("newcomer").asks(NAME)));

        assertThat(current(NAME).holder()).isEqualTo(bob.holder());
        assertThat(handed(place).holder()).isEqualTo(bob.holder());
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void a_waiter_gets_an_expired_lock_though_nobody_else_asks() {
        Worker bob = patient("bob");
        take(worker("alice").asks(NAME));
        Place place = lineUp(bob.asks(NAME));

        age(LEASE);

        assertThat(handed(place).holder()).isEqualTo(bob.holder());
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void asking_without_waiting_does_not_pass_ones_own_place() {
        Assumptions.assumeTrue(fair());
        Worker bob = worker("bob");
        Lock lock = take(worker("alice").asks(NAME));
        Place place = lineUp(bob.asks(NAME));

        assertThat(refused(here().acquire(bob.asks(NAME))).token()).isEqualTo(lock.token());
        here().release(lock);

        assertThat(handed(place).holder()).isEqualTo(bob.holder());
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.COOLDOWN})
    default void a_waiter_gets_a_closed_lock_when_it_opens() {
        Worker bob = patient("bob");
        Lock lock = take(worker("alice").asks(NAME, Terms.PLAIN.withCooldown(MINUTE)));
        here().release(lock);
        Place place = lineUp(bob.asks(NAME));
        assertThat(current(NAME).isHeld()).isFalse();

        age(MINUTE);

        assertThat(handed(place).holder()).isEqualTo(bob.holder());
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.COOLDOWN})
    default void a_waiter_holds_under_its_own_terms() {
        Worker bob = worker("bob");
        Lock first = take(worker("alice").asks(NAME));
        Place place = lineUp(bob.asks(NAME, Terms.PLAIN.withCooldown(MINUTE)));
        here().release(first);

        here().release(handed(place));

        assertThat(current(NAME).closedUntil()).isNotNull();
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void what_earlier_holders_took_gives_an_estimate() {
        Lock first = take(patient("alice").asks(NAME));
        age(MINUTE);
        here().release(first);
        take(patient("bob").asks(NAME));

        Place place = lineUp(patient("carol").asks(NAME));

        assertThat(place.standing().orElseThrow().estimate()).isNotNull().isPositive();
    }

    @Test
    @Rule({Catalogue.H3, Catalogue.WAITING})
    default void a_long_queue_is_served_in_order() {
        Assumptions.assumeTrue(fair());
        Lock lock = take(worker("alice").asks(NAME));
        List<Worker> workers = new ArrayList<>();
        List<Place> places = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            workers.add(worker("w" + number));
            places.add(lineUp(workers.getLast().asks(NAME)));
        }

        List<Holder> served = new ArrayList<>();
        for (Place place : places) {
            here().release(lock);
            lock = handed(place);
            served.add(lock.holder());
        }

        assertThat(served)
                .containsExactlyElementsOf(workers.stream().map(Worker::holder).toList());
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.H3})
    default void many_at_once_in_two_processes_are_all_served_one_at_a_time() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        List<Long> tokens = Together.run(32, number -> {
            Worker worker = worker("w" + number);
            Lock lock = entered(either(number).enter(worker.asks(NAME), WAIT, Integer.MAX_VALUE));
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            inside.decrementAndGet();
            either(number).release(lock);
            return lock.token();
        });

        assertThat(most).hasValue(1);
        assertThat(tokens).hasSize(32).doesNotHaveDuplicates();
        assertThat(current(NAME).status()).isEqualTo(Lock.Status.RELEASED);
        assertThat(here().waiters(NAME)).isEmpty();
    }

    @Test
    @Rule(Catalogue.WAITING)
    default void a_release_beside_an_entry_never_leaves_the_waiter_waiting() {
        for (int round = 0; round < 50; round++) {
            Lock lock = take(worker("alice").asks(NAME));
            Worker bob = worker("bob");

            List<Object> answers = Together.run(
                    2,
                    number -> number == 0
                            ? there().release(lock)
                            : here().enter(bob.asks(NAME), WAIT, Integer.MAX_VALUE));

            Lock second = entered((Entry) answers.getLast());
            assertThat(second.holder()).isEqualTo(bob.holder());
            here().release(second);
        }
    }

    @Test
    @Rule({Catalogue.WAITING, Catalogue.F5})
    default void one_may_wait_for_a_very_long_time() {
        take(worker("alice").asks(NAME));

        Entry.Queued queued = queued(here().enter(worker("bob").asks(NAME), Lease.LONGEST, 10));

        Waiter waiter = here().waiters(NAME).getFirst();
        assertThat(Duration.between(waiter.since(), waiter.until())).isEqualTo(Lease.LONGEST);
        queued.place().leave();
    }

    private static Lock entered(Entry entry) {
        return entry instanceof Entry.Queued queued ? handed(queued.place()) : granted(entry);
    }
}
