package dev.interlock.contract;

import static dev.interlock.contract.Answers.RELEASED;
import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.handed;
import static dev.interlock.contract.Answers.lost;
import static dev.interlock.contract.Answers.unseen;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Place;
import dev.interlock.core.Ports;
import dev.interlock.core.Release;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Giving a lock back, and giving up what may have been granted. */
interface ReleaseContract extends Scene {
    Ports.Tasks TASKS = (name, work) -> Thread.ofVirtual().name(name).start(work);

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.STATUS})
    default void a_released_lock_is_free_at_once() {
        Lock first = take(worker("alice").asks(NAME));

        assertThat(here().release(first)).isEqualTo(RELEASED);

        assertThat(current(NAME).status()).isEqualTo(Lock.Status.RELEASED);
        assertThat(current(NAME).token()).isEqualTo(first.token());
        assertThat(current(NAME).remaining()).isZero();
        Lock second = granted(there().acquire(worker("bob").asks(NAME)));
        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.C2, Catalogue.REPEATS})
    default void a_release_may_be_repeated() {
        Lock lock = take(worker("alice").asks(NAME));

        assertThat(here().release(lock)).isEqualTo(RELEASED);
        assertThat(here().release(lock)).isEqualTo(RELEASED);
        assertThat(there().release(lock)).isEqualTo(RELEASED);
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.C2, Catalogue.HAZARD_1})
    default void a_repeated_release_is_answered_the_same_while_another_holds_and_keeps_the_lock() {
        Lock first = take(worker("alice").asks(NAME));
        here().release(first);
        here().release(take(worker("bob").asks(NAME)));
        Lock third = take(worker("carol").asks(NAME));

        assertThat(here().release(first)).isEqualTo(RELEASED);

        assertThat(unseen(current(NAME))).isEqualTo(unseen(third));
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.C2, Catalogue.C3})
    default void a_repeated_release_leaves_the_same_holders_later_grant_alone() {
        Worker alice = worker("alice");
        Lock first = take(alice.asks(NAME));
        here().release(first);
        Lock second = take(alice.asks(NAME));

        assertThat(here().release(first)).isEqualTo(RELEASED);

        assertThat(unseen(current(NAME))).isEqualTo(unseen(second));
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.C3, Catalogue.HAZARD_1})
    default void a_superseded_holder_cannot_release_its_successor() {
        Lock first = take(worker("alice").asks(NAME));
        age(LEASE);
        Lock second = take(worker("bob").asks(NAME));

        Lost lost = lost(here().release(first));

        assertThat(lost.why()).isEqualTo(Loss.Cause.SUPERSEDED);
        assertThat(unseen(requireNonNull(lost.current()))).isEqualTo(unseen(second));
        assertThat(unseen(current(NAME))).isEqualTo(unseen(second));
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.HAZARD_18})
    default void an_earlier_attempt_cannot_release_the_later_one() {
        Worker first = worker("alice");
        Lock lost = take(first.asks(NAME));
        age(LEASE);
        Lock held = take(first.attempt(2).onNewLease().asks(NAME));

        assertThat(here().release(lost)).isInstanceOf(Lost.class);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(held));
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.B11})
    default void a_release_after_the_lease_has_ended_says_so() {
        Lock lock = take(worker("alice").asks(NAME));

        age(LEASE);

        assertThat(lost(here().release(lock)).why()).isEqualTo(Loss.Cause.EXPIRED);
        assertThat(current(NAME).status()).isEqualTo(Lock.Status.EXPIRED);
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.C3})
    default void somebody_elses_lock_cannot_be_released_with_its_token() {
        Lock lock = take(worker("alice").asks(NAME));

        assertThat(there().release(worker("bob").claims(lock))).isInstanceOf(Lost.class);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(lock));
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.C3})
    default void a_token_that_was_never_granted_releases_nothing() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));
        Lock next = new Lock(NAME, lock.token() + 1, lock.status(), lock.grant(), 0, null, lock.seenAt());

        assertThat(lost(here().release(next)).why()).isEqualTo(Loss.Cause.FORGOTTEN);
        assertThat(unseen(current(NAME))).isEqualTo(unseen(lock));
    }

    @Test
    @Rule(Catalogue.RELEASE)
    default void a_lock_that_the_store_does_not_know_cannot_be_released() {
        Lock lock = take(worker("alice").asks(NAME));
        Lock unknown = new Lock(OTHER, lock.token(), lock.status(), lock.grant(), 0, null, lock.seenAt());

        assertThat(here().release(unknown)).isEqualTo(new Lost(Loss.Cause.FORGOTTEN, null));
    }

    @Test
    @Rule(Catalogue.RELEASE)
    default void a_release_leaves_the_holders_other_locks_alone() {
        Worker alice = worker("alice");
        Lock one = take(alice.asks(NAME));
        Lock other = take(alice.asks(OTHER));

        here().release(one);

        assertThat(unseen(current(OTHER))).isEqualTo(unseen(other));
    }

    @Test
    @Rule(Catalogue.RELEASE)
    default void a_lock_may_be_released_from_another_process() {
        Lock lock = take(worker("alice").asks(NAME));

        assertThat(there().release(lock)).isEqualTo(RELEASED);
        assertThat(here().find(NAME).orElseThrow().isHeld()).isFalse();
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.REPEATS, Catalogue.C2})
    default void a_release_that_arrives_many_times_at_once_hands_the_lock_on_once() {
        Lock lock = take(worker("alice").asks(NAME));
        Worker bob = worker("bob");
        Worker carol = worker("carol");
        Place bobs = lineUp(bob.asks(NAME));
        lineUp(carol.asks(NAME));

        List<Release> answers = Together.run(20, number -> either(number).release(lock));

        assertThat(answers).containsOnly(RELEASED);
        assertThat(handed(bobs).holder()).isEqualTo(bob.holder());
        assertThat(current(NAME).holder()).isEqualTo(bob.holder());
        assertThat(here().waiters(NAME))
                .singleElement()
                .satisfies(waiter -> assertThat(waiter.holder()).isEqualTo(carol.holder()));
    }

    @Test
    @Rule(Catalogue.RELEASE)
    default void a_lock_whose_release_is_not_waited_for_is_free_when_the_answer_is_there() {
        Lock first = take(worker("alice").asks(NAME));

        assertThat(soon(here().releaseSoon(first, TASKS))).isEqualTo(RELEASED);

        Lock second = granted(there().acquire(worker("bob").asks(NAME)));
        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.C3})
    default void a_release_that_is_not_waited_for_leaves_a_successor_alone_and_says_so() {
        Lock first = take(worker("alice").asks(NAME));
        age(LEASE);
        Lock second = take(worker("bob").asks(NAME));

        Lost answer = lost(soon(here().releaseSoon(first, TASKS)));

        assertThat(answer.why()).isEqualTo(Loss.Cause.SUPERSEDED);
        assertThat(unseen(requireNonNull(answer.current()))).isEqualTo(unseen(second));
        assertThat(unseen(current(NAME))).isEqualTo(unseen(second));
    }

    @Test
    @Rule({Catalogue.RELEASE, Catalogue.REPEATS, Catalogue.C2})
    default void releases_that_are_not_waited_for_and_others_hand_the_lock_on_once() {
        Lock lock = take(worker("alice").asks(NAME));
        Worker bob = worker("bob");
        Place bobs = lineUp(bob.asks(NAME));
        lineUp(worker("carol").asks(NAME));

        List<Release> answers = Together.run(
                20,
                number -> number % 3 == 0
                        ? either(number).release(lock)
                        : soon(either(number).releaseSoon(lock, TASKS)));

        assertThat(answers).containsOnly(RELEASED);
        assertThat(handed(bobs).holder()).isEqualTo(bob.holder());
        assertThat(current(NAME).holder()).isEqualTo(bob.holder());
    }

    private static Release soon(CompletableFuture<Release> answer) {
        return answer.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    @Rule(Catalogue.WITHDRAW)
    default void withdrawing_gives_up_a_grant() {
        Worker alice = worker("alice");
        Lock lock = take(alice.asks(NAME));

        here().withdraw(alice.asks(NAME));

        assertThat(current(NAME).isHeld()).isFalse();
        assertThat(here().release(lock)).isEqualTo(RELEASED);
        granted(there().acquire(worker("bob").asks(NAME)));
    }

    @Test
    @Rule({Catalogue.WITHDRAW, Catalogue.A8})
    default void withdrawing_gives_up_a_place() {
        take(worker("alice").asks(NAME));
        Worker bob = worker("bob");
        Place place = lineUp(bob.asks(NAME));

        here().withdraw(bob.asks(NAME));

        assertThat(here().waiters(NAME)).isEmpty();
        assertThat(place.standing()).isEmpty();
    }

    @Test
    @Rule({Catalogue.WITHDRAW, Catalogue.REPEATS})
    default void withdrawing_what_one_does_not_have_changes_nothing() {
        Worker alice = worker("alice");
        Worker bob = worker("bob");
        here().withdraw(bob.asks(NAME));
        Lock lock = take(alice.asks(NAME));

        here().withdraw(bob.asks(NAME));
        here().withdraw(alice.sibling("exec-other").asks(NAME));
        here().withdraw(alice.attempt(2).asks(NAME));

        assertThat(unseen(current(NAME))).isEqualTo(unseen(lock));
    }

    @Test
    @Rule({Catalogue.WITHDRAW, Catalogue.WAITING})
    default void withdrawing_a_grant_hands_the_lock_on() {
        Worker alice = worker("alice");
        Worker bob = worker("bob");
        take(alice.asks(NAME));
        Place place = lineUp(bob.asks(NAME));

        here().withdraw(alice.asks(NAME));

        assertThat(handed(place).holder()).isEqualTo(bob.holder());
    }
}
