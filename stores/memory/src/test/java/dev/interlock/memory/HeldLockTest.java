package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockLost;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Options;
import dev.interlock.core.Release;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Terms;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class HeldLockTest {
    private static final Loss FORCED = new Loss.ForcedBy("oncall", "wrong cluster");

    private final World world = new World();

    @Test
    void a_held_lock_knows_its_name_its_token_and_how_long_it_may_be_trusted() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");

        assertThat(lock.name()).isEqualTo(LockName.of("prod/db"));
        assertThat(lock.token()).isEqualTo(world.find("prod/db").token());
        assertThat(lock.lock().status()).isEqualTo(Lock.Status.ACTIVE);
        assertThat(lock.remaining()).isEqualTo(seconds(20));
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.loss()).isEmpty();
    }

    @Test
    void a_held_lock_can_be_trusted_for_less_and_less_until_it_is_renewed() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");

        world.advance(seconds(9));
        assertThat(lock.remaining()).isEqualTo(seconds(11));
        world.advance(seconds(1));

        assertThat(lock.remaining()).isEqualTo(seconds(20));
    }

    @Test
    void work_that_needs_more_time_than_is_left_does_not_begin() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.cut();
        world.advance(seconds(15));

        lock.requireAtLeast(seconds(5));

        assertThatThrownBy(() -> lock.requireAtLeast(seconds(6)))
                .isInstanceOf(LockLost.class)
                .hasMessage("Lock 'prod/db' is not yours any more: the store did not confirm a renewal in time.");
    }

    @Test
    void a_lock_is_lost_by_its_own_clock_when_no_renewal_is_confirmed() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        List<Loss> losses = losses(lock);
        world.store.cut();

        world.advance(seconds(20).minusMillis(1));
        assertThat(lock.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        world.advance(Duration.ofMillis(1));

        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.loss()).contains(Loss.Cause.UNCONFIRMED);
        assertThat(losses).containsExactly(Loss.Cause.UNCONFIRMED);
        assertThat(world.find("prod/db").isHeld())
                .as("the store does not know yet")
                .isTrue();
    }

    @Test
    void a_lock_is_not_held_from_the_moment_a_stopped_process_goes_on() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");

        world.time.freeze(seconds(20));

        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.remaining()).isZero();
        assertThatThrownBy(() -> lock.requireAtLeast(Duration.ZERO.plusNanos(1)))
                .isInstanceOf(LockLost.class);
    }

    /** Whoever saw it lost has stopped; nothing may tell the others that all is well again. */
    @Test
    void a_lock_that_was_not_held_for_a_moment_is_lost_for_good() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        List<Loss> losses = losses(lock);

        world.time.freeze(seconds(25));
        assertThat(lock.isHeld()).isFalse();
        world.advance(seconds(60));

        assertThat(lock.isHeld()).isFalse();
        assertThat(losses).containsExactly(Loss.Cause.UNCONFIRMED);
    }

    @Test
    void a_lock_is_lost_when_a_renewal_is_confirmed_too_late() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        var gate = world.store.delay(Flaky.Verb.RENEW);
        world.advance(seconds(15));

        world.time.freeze(seconds(10));
        gate.complete(null);
        world.advance(seconds(1));

        assertThat(lock.loss()).contains(Loss.Cause.UNCONFIRMED);
    }

    @Test
    void a_process_that_slept_past_its_lease_touches_nothing_of_its_successor() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.time.freeze(seconds(31));
        Lock successor = granted(world.elsewhere.acquire(World.stranger("prod/db", Duration.ofHours(1))));

        world.advance(seconds(1));
        lock.close();

        assertThat(lock.isHeld()).isFalse();
        assertThat(world.find("prod/db").token()).isEqualTo(successor.token());
        assertThat(world.find("prod/db").status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    void whoever_listens_is_told_of_a_loss_once() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        List<Loss> losses = losses(lock);
        world.store.cut();

        world.advance(Duration.ofMinutes(5));
        world.store.heal();
        world.advance(Duration.ofMinutes(5));

        assertThat(losses).hasSize(1);
    }

    @Test
    void whoever_listens_late_is_told_at_once() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.cut();
        world.advance(seconds(20));

        assertThat(losses(lock)).containsExactly(Loss.Cause.UNCONFIRMED);
    }

    @Test
    void a_listener_that_hangs_keeps_nobody_else_from_being_told() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        var never = new CompletableFuture<Void>();
        lock.onLost(loss -> never.join());
        List<Loss> losses = losses(lock);
        HeldLock other = world.locks.acquire("prod/other", Options.refusing().withLease(Duration.ofMinutes(10)));
        force(lock, true);

        world.advance(Duration.ofMinutes(1));

        assertThat(losses).containsExactly(FORCED);
        assertThat(other.isHeld()).isTrue();
        never.complete(null);
    }

    @Test
    void nobody_is_told_of_a_lock_that_was_released() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        List<Loss> losses = losses(lock);

        assertThat(lock.release()).isEqualTo(new Release.Released());
        world.store.cut();
        world.advance(Duration.ofMinutes(1));

        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.remaining()).isZero();
        assertThat(losses).isEmpty();
    }

    @Test
    void a_lock_is_released_when_it_is_closed() throws Exception {
        try (HeldLock lock = world.locks.acquire("prod/db")) {
            assertThat(lock.isHeld()).isTrue();
        }

        assertThat(world.find("prod/db").status()).isEqualTo(Lock.Status.RELEASED);
    }

    @Test
    void a_lock_may_be_released_and_closed_many_times() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");

        assertThat(lock.release()).isEqualTo(new Release.Released());
        assertThat(lock.release()).isEqualTo(new Release.Released());
        lock.close();
        lock.close();

        assertThat(world.isFree("prod/db")).isTrue();
    }

    @Test
    void a_lock_that_is_lost_but_may_still_be_ours_in_the_store_is_given_back() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.fail(Flaky.Verb.RENEW, Flaky.Fault.REQUEST_LOST, 1000);
        world.advance(seconds(21));
        assertThat(lock.loss()).contains(Loss.Cause.UNCONFIRMED);

        lock.close();

        assertThat(world.find("prod/db").status()).isEqualTo(Lock.Status.RELEASED);
    }

    @Test
    void releasing_a_lock_that_the_store_has_declared_over_tells_why() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.elsewhere.end(leaseOf(lock));
        world.advance(seconds(10));

        assertThat(lock.loss()).contains(Loss.Cause.ALREADY_RELEASED);
        assertThat(lock.release()).isEqualTo(new Lost(Loss.Cause.ALREADY_RELEASED, null));
        assertThat(world.store.calls(Flaky.Verb.RELEASE)).isZero();
    }

    @Test
    void a_forced_holder_is_told_by_push_and_confirms_with_its_release() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        List<Loss> losses = losses(lock);

        assertThat(force(lock, false)).isInstanceOf(Forcing.Releasing.class);
        world.advance(Duration.ofMillis(1));

        assertThat(losses).containsExactly(FORCED);
        assertThat(lock.isHeld()).isFalse();
        assertThat(world.find("prod/db").status()).isEqualTo(Lock.Status.RELEASING);
        assertThat(lock.release()).isEqualTo(new Release.Released());
        assertThat(world.isFree("prod/db")).isTrue();
    }

    /** The others keep the lease alive; the store moves this one on when it said it would. */
    @Test
    void a_forced_holder_knows_when_the_lock_moves_on_whatever_else_is_renewed() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        HeldLock other = world.locks.acquire("prod/other");
        world.advance(seconds(5));

        Forcing.Releasing answer = (Forcing.Releasing) force(lock, false);
        world.advance(seconds(10));

        assertThat(answer.until()).isEqualTo(World.START.plusSeconds(30));
        assertThat(lock.untilEnd()).isEqualTo(seconds(15));
        assertThat(other.untilEnd()).isGreaterThan(seconds(19));
    }

    @Test
    void a_held_lock_tells_when_it_was_renewed() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        List<Duration> ends = new CopyOnWriteArrayList<>();
        lock.onRenewed(() -> ends.add(world.time.elapsed().plus(lock.untilEnd())));

        world.advance(seconds(25));

        assertThat(ends).containsExactly(seconds(40), seconds(50));
    }

    @Test
    void whoever_fails_to_hear_of_a_renewal_keeps_no_other_lock_from_being_renewed() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        HeldLock other = world.locks.acquire("prod/other", Options.refusing().withLease(seconds(29)));
        lock.onRenewed(() -> {
            throw new IllegalStateException("deaf");
        });
        other.onRenewed(() -> {
            throw new IllegalStateException("deaf");
        });

        world.advance(Duration.ofMinutes(3));

        assertThat(lock.isHeld()).isTrue();
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void forcing_one_lock_leaves_the_others_of_the_process_held() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        HeldLock other = world.locks.acquire("prod/other");

        force(lock, true);
        world.advance(Duration.ofMinutes(2));

        assertThat(lock.loss()).contains(FORCED);
        assertThat(other.isHeld()).isTrue();
        assertThat(lock.release()).isInstanceOf(Lost.class);
    }

    @Test
    void a_grant_ends_by_its_own_clock_when_it_reaches_its_maximum_hold() throws Exception {
        HeldLock lock = world.locks.acquire(
                "prod/db", Options.refusing().withTerms(Terms.PLAIN.withMaxHold(Duration.ofMinutes(2))));
        List<Loss> losses = losses(lock);

        world.advance(Duration.ofMinutes(2).minusMillis(1));
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.remaining()).isEqualTo(Duration.ofMillis(1));
        world.advance(Duration.ofMillis(1));

        assertThat(lock.isHeld()).isFalse();
        assertThat(losses).containsExactly(Loss.Cause.HELD_TOO_LONG);
    }

    /** The store counts from the grant, not from the day this process heard of it. */
    @Test
    void the_maximum_hold_of_a_grant_asked_for_again_counts_from_the_grant() throws Exception {
        Options options = Options.refusing()
                .withTerms(Terms.PLAIN.withMaxHold(Duration.ofMinutes(2)))
                .forExecution("exec-7", 1);
        world.locks.acquire("prod/db", options);
        world.advance(Duration.ofMinutes(1));

        HeldLock again = world.locks.acquire("prod/db", options);
        world.advance(Duration.ofMinutes(1));

        assertThat(again.isHeld()).isFalse();
        assertThat(again.loss()).contains(Loss.Cause.HELD_TOO_LONG);
    }

    @Test
    void a_release_that_fails_is_made_up_for_in_the_background() throws Exception {
        HeldLock other = world.locks.acquire("prod/other");
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.fail(Flaky.Verb.RELEASE, Flaky.Fault.REQUEST_LOST, 1);

        assertThatThrownBy(lock::release).isInstanceOf(StoreUnavailable.class);
        lock.close();
        world.advance(Duration.ofMinutes(1));

        assertThat(other.isHeld()).as("keeps the shared lease alive").isTrue();
        assertThat(world.isFree("prod/db")).isTrue();
    }

    @Test
    void a_lock_that_is_released_soon_is_not_held_from_the_call_on_and_free_when_the_answer_is_there()
            throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        List<Loss> losses = losses(lock);

        var answer = lock.releaseSoon();

        assertThat(lock.isHeld()).isFalse();
        world.advance(Duration.ZERO);
        assertThat(answer).isCompletedWithValue(new Release.Released());
        assertThat(world.isFree("prod/db")).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    void a_release_soon_whose_request_is_lost_says_so_and_is_made_up_for_in_the_background() throws Exception {
        HeldLock other = world.locks.acquire("prod/other");
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.fail(Flaky.Verb.RELEASE, Flaky.Fault.REQUEST_LOST, 1);

        var answer = lock.releaseSoon();
        world.advance(Duration.ofMinutes(1));

        assertThat(answer)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StoreUnavailable.class);
        assertThat(other.isHeld()).as("keeps the shared lease alive").isTrue();
        assertThat(world.isFree("prod/db")).isTrue();
    }

    @Test
    void whoever_asks_in_this_process_for_what_it_is_giving_back_asks_after_the_answer() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        var gate = world.store.delay(Flaky.Verb.RELEASE);
        var answer = lock.releaseSoon();
        world.advance(Duration.ZERO);
        int asked = world.store.calls(Flaky.Verb.ACQUIRE);

        var again = world.time.begin(() -> world.locks.acquire("prod/db"));
        var set = world.time.begin(() -> world.locks.acquireAll(List.of("prod/db", "prod/new"), Options.refusing()));

        assertThat(again.isDone()).isFalse();
        assertThat(set.isDone()).isFalse();
        assertThat(world.store.calls(Flaky.Verb.ACQUIRE)).isEqualTo(asked);
        assertThat(world.locks.acquire("prod/other").isHeld())
                .as("others wait for nothing")
                .isTrue();
        gate.complete(null);
        world.advance(Duration.ZERO);
        assertThat(answer).isCompleted();
        assertThat(again.isDone() && set.isDone()).isTrue();
    }

    @Test
    void a_release_soon_that_is_never_answered_keeps_nobody_for_longer_than_a_lease() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        var gate = world.store.delay(Flaky.Verb.RELEASE);
        var answer = lock.releaseSoon();

        var again = world.time.begin(() -> world.locks.acquire("prod/db"));
        world.advance(World.LEASE.minusMillis(1));
        assertThat(again.isDone()).isFalse();
        world.advance(Duration.ofMillis(1));

        assertThat(again.result().isHeld()).isTrue();
        assertThat(answer).isNotDone();
        gate.complete(null);
    }

    @Test
    void a_lock_that_was_lost_before_it_is_released_soon_answers_with_the_loss() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.cut();
        world.time.freeze(World.LEASE);
        world.store.heal();
        world.advance(Duration.ZERO);

        var answer = lock.releaseSoon();
        world.advance(Duration.ZERO);

        assertThat(answer.join()).isInstanceOf(Lost.class);
    }

    @Test
    void closing_while_the_store_cannot_answer_does_not_fail_and_frees_the_lock_later() throws Exception {
        HeldLock other = world.locks.acquire("prod/other");
        HeldLock lock = world.locks.acquire("prod/db");
        world.store.cut();

        assertThatCode(lock::close).doesNotThrowAnyException();
        world.advance(seconds(3));
        assertThat(world.find("prod/db").isHeld()).isTrue();
        world.store.heal();
        world.advance(seconds(15));

        assertThat(other.isHeld()).isTrue();
        assertThat(world.isFree("prod/db")).isTrue();
    }

    /** A late give-back goes by the token, so it cannot hit what the same holder was granted since. */
    @Test
    void what_is_made_up_for_in_the_background_leaves_a_later_grant_alone() throws Exception {
        Options options = Options.refusing().forExecution("exec-7", 1);
        HeldLock first = world.locks.acquire("prod/db", options);
        world.store.fail(Flaky.Verb.RELEASE, Flaky.Fault.ANSWER_LOST, 1);
        assertThatThrownBy(first::release).isInstanceOf(StoreUnavailable.class);

        HeldLock second = world.locks.acquire("prod/db", options);
        world.advance(Duration.ofMinutes(1));

        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(second.isHeld()).isTrue();
        assertThat(world.find("prod/db").token()).isEqualTo(second.token());
        assertThat(world.find("prod/db").isHeld()).isTrue();
    }

    private Forcing force(HeldLock lock, boolean now) {
        return world.elsewhere.force(new Force(lock.name(), lock.token(), "oncall", "wrong cluster", now));
    }

    private static Lease leaseOf(HeldLock lock) {
        return new Lease(
                lock.lock().grant().lease(),
                lock.lock().holder().owner(),
                lock.lock().holder().user(),
                World.LEASE);
    }

    private static Lock granted(Acquisition answer) {
        return ((Acquisition.Granted) answer).lock();
    }

    private static List<Loss> losses(HeldLock lock) {
        List<Loss> losses = new CopyOnWriteArrayList<>();
        lock.onLost(losses::add);
        return losses;
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
