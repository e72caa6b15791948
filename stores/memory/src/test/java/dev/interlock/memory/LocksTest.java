package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Attempt;
import dev.interlock.core.Entry;
import dev.interlock.core.HeldLock;
import dev.interlock.core.HeldSet;
import dev.interlock.core.Identity;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Locks;
import dev.interlock.core.Options;
import dev.interlock.core.Refusal;
import dev.interlock.core.Refused;
import dev.interlock.core.SetAttempt;
import dev.interlock.core.Settings;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Terms;
import dev.interlock.core.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class LocksTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = new World();

    @Test
    void a_busy_lock_is_refused_with_a_sentence_that_names_its_holder() {
        Lock held = heldElsewhere("prod/db");

        assertThatThrownBy(() -> world.locks.acquire("prod/db"))
                .isInstanceOf(Refused.class)
                .hasMessage("Blocked: lock 'prod/db' is held by execution "
                        + held.holder().execution()
                        + " (stranger@example.com on elsewhere) since 14:00:00Z, lease until 15:00:00Z, token 1."
                        + " Wait with --wait 10m, or see: interlock why prod/db");
    }

    @Test
    void an_attempt_answers_instead_of_throwing() throws Exception {
        Lock held = heldElsewhere("prod/db");

        assertThat(world.locks.tryAcquire("prod/db", Options.refusing()))
                .isEqualTo(new Attempt.NotAcquired(new Refusal.Busy(held)));
        assertThat(world.locks.tryAcquire("prod/other", Options.refusing())).isInstanceOf(Attempt.Acquired.class);
    }

    @Test
    void a_closed_lock_is_refused_with_the_instant_it_opens() throws Exception {
        world.locks
                .acquire("prod/db", Options.refusing().withTerms(Terms.PLAIN.withCooldown(MINUTE)))
                .close();

        assertThat(world.locks.tryAcquire("prod/db", Options.refusing()))
                .isInstanceOfSatisfying(
                        Attempt.NotAcquired.class,
                        refused -> assertThat(refused.refusal())
                                .isEqualTo(new Refusal.Cooling(world.find("prod/db"), World.START.plusSeconds(60))));
    }

    @Test
    void two_requests_of_one_process_never_share_a_lock() throws Exception {
        world.locks.acquire("prod/db");

        assertThatThrownBy(() -> world.locks.acquire("prod/db")).isInstanceOf(Refused.class);
    }

    @Test
    void a_holder_says_for_whom_and_for_what_it_holds() throws Exception {
        HeldLock lock = world.locks.acquire("prod/db", Options.refusing().forExecution("exec-7", 3));

        assertThat(lock.lock().holder().execution()).isEqualTo("exec-7");
        assertThat(lock.lock().holder().attempt()).isEqualTo(3);
        assertThat(lock.lock().holder().owner()).isEqualTo("alice-host:1:abc");
        assertThat(lock.lock().holder().user()).isEqualTo("alice@example.com");
    }

    @Test
    void a_request_whose_answer_was_lost_is_asked_again_and_answered_with_the_same_grant() {
        world.store.fail(Flaky.Verb.ACQUIRE, Flaky.Fault.ANSWER_LOST, 2);

        HeldLock lock = world.time.call(() -> world.locks.acquire("prod/db"));

        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.token()).isEqualTo(1);
        assertThat(world.store.calls(Flaky.Verb.ACQUIRE)).isEqualTo(3);
    }

    @Test
    void a_grant_that_nobody_learned_of_is_withdrawn_in_the_background() throws Exception {
        world.store.fail(Flaky.Verb.ACQUIRE, Flaky.Fault.ANSWER_LOST, 3);

        assertThatThrownBy(() -> world.time.call(() -> world.locks.acquire("prod/db")))
                .isInstanceOf(StoreUnavailable.class);
        world.advance(Duration.ofSeconds(1));

        assertThat(world.isFree("prod/db")).isTrue();
        assertThat(world.locks.acquire("prod/db").isHeld()).isTrue();
    }

    @Test
    void withdrawing_is_tried_again_until_the_store_answers() {
        world.store.fail(Flaky.Verb.ACQUIRE, Flaky.Fault.ANSWER_LOST, 3);
        world.store.fail(Flaky.Verb.WITHDRAW, Flaky.Fault.REQUEST_LOST, 4);

        assertThatThrownBy(() -> world.time.call(() -> world.locks.acquire("prod/db")))
                .isInstanceOf(StoreUnavailable.class);
        world.advance(Duration.ofSeconds(10));

        assertThat(world.isFree("prod/db")).isTrue();
    }

    /** A caller that names its execution may come back; then what it was granted is not unattended any more. */
    @Test
    void what_the_same_execution_asks_for_again_is_not_withdrawn() throws Exception {
        Options options = Options.refusing().forExecution("exec-7", 1);
        world.store.fail(Flaky.Verb.ACQUIRE, Flaky.Fault.ANSWER_LOST, 3);
        world.store.fail(Flaky.Verb.WITHDRAW, Flaky.Fault.REQUEST_LOST, 1);
        assertThatThrownBy(() -> world.time.call(() -> world.locks.acquire("prod/db", options)))
                .isInstanceOf(StoreUnavailable.class);

        HeldLock lock = world.locks.acquire("prod/db", options);
        world.advance(MINUTE);

        assertThat(lock.isHeld()).isTrue();
        assertThat(world.find("prod/db").token()).isEqualTo(lock.token());
        assertThat(world.find("prod/db").isHeld()).isTrue();
    }

    @Test
    void a_second_withdrawal_does_not_hit_what_was_granted_since() throws Exception {
        Options options = Options.refusing().forExecution("exec-7", 1);
        world.store.fail(Flaky.Verb.ACQUIRE, Flaky.Fault.ANSWER_LOST, 3);
        assertThatThrownBy(() -> world.time.call(() -> world.locks.acquire("prod/db", options)))
                .isInstanceOf(StoreUnavailable.class);
        world.advance(Duration.ofSeconds(1));
        assertThat(world.isFree("prod/db")).isTrue();

        HeldLock lock = world.locks.acquire("prod/db", options);
        world.advance(MINUTE);

        assertThat(lock.isHeld()).isTrue();
        assertThat(world.find("prod/db").isHeld()).isTrue();
    }

    @Test
    void an_error_that_will_not_pass_is_not_tried_again() {
        Failing forbidding = new Failing(StoreUnavailable.Kind.FORBIDDEN);
        Locks locks = new Locks(forbidding, new Identity("a:1:b", "a"), Settings.DEFAULT, world.time.ports());

        assertThatThrownBy(() -> locks.acquire("prod/db")).isInstanceOf(StoreUnavailable.class);

        assertThat(forbidding.asked).isEqualTo(1);
    }

    private final class Failing extends Forwarding {
        private final StoreUnavailable.Kind kind;
        private int asked;

        Failing(StoreUnavailable.Kind kind) {
            super(world.elsewhere);
            this.kind = kind;
        }

        @Override
        public Acquisition acquire(Ask ask) {
            asked++;
            throw new StoreUnavailable(kind, "No.");
        }
    }

    @Test
    void a_lock_is_waited_for_and_handed_over() {
        Lock held = heldElsewhere("prod/db");
        List<Entry.Queued> told = new ArrayList<>();
        var waiting = world.time.begin(
                () -> world.locks.acquire("prod/db", Options.waiting(HOUR).tellingQueued(told::add)));
        assertThat(told).hasSize(1);
        assertThat(told.getFirst().position()).isEqualTo(1);

        world.advance(Duration.ofMinutes(10));
        world.elsewhere.release(held);
        world.advance(Duration.ZERO);

        assertThat(waiting.result().isHeld()).isTrue();
        assertThat(waiting.result().token()).isEqualTo(2);
        world.advance(HOUR);
        assertThat(waiting.result().isHeld()).isTrue();
    }

    @Test
    void a_lock_is_handed_over_when_its_holder_dies() {
        world.elsewhere.acquire(World.stranger("prod/db", MINUTE));

        HeldLock lock = world.time.call(() -> world.locks.acquire("prod/db", Options.waiting(HOUR)));

        assertThat(lock.isHeld()).isTrue();
        assertThat(world.time.elapsed()).isBetween(MINUTE, MINUTE.plusSeconds(1));
    }

    @Test
    void waiting_in_vain_leaves_nothing_behind() throws Exception {
        Lock held = heldElsewhere("prod/db");

        Attempt attempt = world.time.call(() -> world.locks.tryAcquire("prod/db", Options.waiting(MINUTE)));

        assertThat(world.time.elapsed()).isEqualTo(MINUTE);
        assertThat(attempt)
                .isInstanceOfSatisfying(
                        Attempt.NotAcquired.class,
                        refused -> assertThat(refused.refusal().sentence())
                                .startsWith(
                                        "Gave up waiting for lock 'prod/db' after 1m: lock 'prod/db' is held by execution "
                                                + held.holder().execution()));
        assertThat(world.elsewhere.waiters(LockName.of("prod/db"))).isEmpty();
        world.advance(MINUTE);
        assertThat(world.store.calls(Flaky.Verb.END)).isEqualTo(1);
        world.elsewhere.release(held);
        assertThat(world.isFree("prod/db")).isTrue();
    }

    @Test
    void an_interrupted_wait_leaves_nothing_behind() {
        Lock held = heldElsewhere("prod/db");
        var waiting = world.time.begin(() -> world.locks.acquire("prod/db", Options.waiting(HOUR)));

        waiting.interrupt();

        assertThatThrownBy(waiting::result)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(world.elsewhere.waiters(LockName.of("prod/db"))).isEmpty();
        world.elsewhere.release(held);
        assertThat(world.isFree("prod/db")).isTrue();
    }

    @Test
    void a_wait_interrupted_between_two_tries_leaves_nothing_behind() {
        world.store.fail(Flaky.Verb.ENTER, Flaky.Fault.ANSWER_LOST, 1);
        var asking = world.time.begin(() -> world.locks.acquire("prod/db", Options.waiting(HOUR)));
        assertThat(asking.isDone()).isFalse();

        asking.interrupt();
        world.advance(Duration.ofSeconds(1));

        assertThatThrownBy(asking::result).hasCauseInstanceOf(InterruptedException.class);
        assertThat(world.isFree("prod/db")).isTrue();
    }

    @Test
    void a_place_that_cannot_be_given_up_now_is_given_up_later() {
        Lock held = heldElsewhere("prod/db");
        world.store.fail(Flaky.Verb.LEAVE, Flaky.Fault.REQUEST_LOST, 1);

        world.time.call(() -> world.locks.tryAcquire("prod/db", Options.waiting(MINUTE)));
        world.advance(Duration.ofSeconds(1));

        assertThat(world.elsewhere.waiters(LockName.of("prod/db"))).isEmpty();
        world.elsewhere.release(held);
        assertThat(world.isFree("prod/db")).isTrue();
    }

    @Test
    void a_waiter_that_asks_again_after_a_lost_answer_keeps_its_place() {
        Lock held = heldElsewhere("prod/db");
        world.store.fail(Flaky.Verb.ENTER, Flaky.Fault.ANSWER_LOST, 1);
        var first = world.time.begin(() -> world.locks.acquire("prod/db", Options.waiting(HOUR)));
        var second = world.time.begin(() -> world.process("bob").acquire("prod/db", Options.waiting(HOUR)));

        world.advance(Duration.ofSeconds(1));
        world.elsewhere.release(held);
        world.advance(Duration.ZERO);

        assertThat(first.result().isHeld()).isTrue();
        assertThat(second.isDone()).isFalse();
    }

    @Test
    void a_waiter_that_somebody_cancels_is_refused() {
        heldElsewhere("prod/db");
        var waiting = world.time.begin(() -> world.locks.tryAcquire("prod/db", Options.waiting(HOUR)));
        Waiter waiter = world.elsewhere.waiters(LockName.of("prod/db")).getFirst();

        world.elsewhere.dropWaiter(LockName.of("prod/db"), waiter.ticket(), "oncall");
        world.advance(Duration.ZERO);

        assertThat(waiting.result()).isEqualTo(new Attempt.NotAcquired(new Refusal.Cancelled(LockName.of("prod/db"))));
    }

    @Test
    void a_queue_that_is_too_long_is_refused() throws Exception {
        heldElsewhere("prod/db");

        assertThat(world.locks.tryAcquire("prod/db", Options.waiting(HOUR).withQueueLimit(0)))
                .isInstanceOfSatisfying(
                        Attempt.NotAcquired.class,
                        refused -> assertThat(refused.refusal()).isInstanceOf(Refusal.QueueFull.class));
    }

    @Test
    void a_waiter_is_kept_alive_like_a_holder() {
        Lock held = heldElsewhere("prod/db");
        var waiting = world.time.begin(() -> world.locks.acquire("prod/db", Options.waiting(HOUR)));

        world.advance(Duration.ofMinutes(30));

        assertThat(world.elsewhere.waiters(LockName.of("prod/db"))).hasSize(1);
        world.elsewhere.release(held);
        world.advance(Duration.ZERO);
        assertThat(waiting.result().isHeld()).isTrue();
    }

    @Test
    void a_waiter_whose_lease_ended_queues_again_on_a_new_one() {
        Lock held = heldElsewhere("prod/db");
        var waiting = world.time.begin(() -> world.locks.acquire("prod/db", Options.waiting(HOUR)));

        world.expire(world.record("prod/db").queue().getFirst().lease());
        world.advance(Duration.ZERO);
        assertThat(world.elsewhere.waiters(LockName.of("prod/db"))).hasSize(1);
        world.elsewhere.release(held);
        world.advance(MINUTE);

        assertThat(waiting.result().isHeld()).isTrue();
    }

    @Test
    void a_request_on_a_lease_that_ended_unnoticed_is_asked_again_on_a_new_one() throws Exception {
        HeldLock first = world.locks.acquire("a");
        world.expire(world.record("a").latest().lease());

        HeldLock second = world.locks.acquire("b");

        assertThat(second.isHeld()).isTrue();
        assertThat(first.isHeld()).isFalse();
    }

    @Test
    void a_set_is_taken_in_one_step_or_not_at_all() throws Exception {
        HeldSet set = world.locks.acquireAll(List.of("b", "a", "b", "c"), Options.refusing());

        assertThat(set.locks().stream().map(lock -> lock.name().value())).containsExactly("a", "b", "c");
        assertThat(world.store.calls(Flaky.Verb.ACQUIRE_ALL)).isEqualTo(1);
        assertThat(set.isHeld()).isTrue();
        assertThat(world.locks.tryAcquireAll(List.of("x", "b"), Options.refusing()))
                .isEqualTo(new SetAttempt.NotAcquired(new Refusal.Busy(world.find("b"))));
        assertThat(world.isFree("x")).isTrue();
        set.close();
        assertThat(List.of("a", "b", "c")).allMatch(world::isFree);
        assertThat(set.isHeld()).isFalse();
    }

    @Test
    void a_set_is_waited_for_one_by_one_in_canonical_order() {
        Lock a = heldElsewhere("a");
        Lock b = heldElsewhere("b");
        var waiting = world.time.begin(() -> world.locks.acquireAll(List.of("c", "b", "a"), Options.waiting(HOUR)));
        assertThat(world.elsewhere.waiters(LockName.of("a"))).hasSize(1);
        assertThat(world.elsewhere.waiters(LockName.of("b"))).isEmpty();

        world.elsewhere.release(a);
        world.advance(Duration.ofSeconds(1));
        assertThat(world.elsewhere.waiters(LockName.of("b"))).hasSize(1);
        world.elsewhere.release(b);
        world.advance(Duration.ofSeconds(1));

        assertThat(waiting.result().isHeld()).isTrue();
        assertThat(waiting.result().locks()).hasSize(3);
    }

    @Test
    void a_set_that_is_waited_for_in_vain_is_given_back_as_a_whole() {
        heldElsewhere("c");

        SetAttempt attempt =
                world.time.call(() -> world.locks.tryAcquireAll(List.of("a", "b", "c"), Options.waiting(MINUTE)));

        assertThat(attempt).isInstanceOf(SetAttempt.NotAcquired.class);
        assertThat(world.time.elapsed()).isEqualTo(MINUTE);
        assertThat(List.of("a", "b")).allMatch(world::isFree);
        assertThat(world.elsewhere.waiters(LockName.of("c"))).isEmpty();
    }

    @Test
    void sets_that_overlap_do_not_block_each_other_for_ever() {
        List<String> names = List.of("a", "b", "c");
        var first = world.time.begin(() -> world.locks.acquireAll(names, Options.waiting(HOUR)));
        var second = world.time.begin(() -> world.process("bob").acquireAll(names.reversed(), Options.waiting(HOUR)));

        first.result().close();
        world.advance(Duration.ofSeconds(1));

        assertThat(second.result().isHeld()).isTrue();
    }

    @Test
    void a_set_needs_a_name() {
        assertThatThrownBy(() -> world.locks.acquireAll(List.of(), Options.refusing()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_store_that_is_closed_ends_the_wait() {
        heldElsewhere("prod/db");
        var waiting = world.time.begin(() -> world.locks.acquire("prod/db", Options.waiting(HOUR)));

        world.store.close();
        world.advance(Duration.ZERO);

        assertThatThrownBy(waiting::result).isInstanceOf(StoreUnavailable.class);
    }

    private Lock heldElsewhere(String name) {
        world.elsewhere.acquire(World.stranger(name, HOUR));
        return world.find(name);
    }
}
