package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.polling.Turn;
import dev.interlock.core.polling.Waiting;
import dev.interlock.core.polling.WaitingRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Waiting without push. The store is a single lock with a token that somebody elsewhere may hold; what is tried is who
 * looks at it, when, and what becomes of those who wait.
 */
class WaitingRoomTest {
    private static final LockName NAME = LockName.of("prod/db");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Lease LEASE = new Lease(new UUID(1, 1), "here:1:a", "alice", Duration.ofSeconds(30));

    private final ManualPorts time = new ManualPorts(7);
    private final List<Duration> looks = new ArrayList<>();
    private long tickets;
    private long token;
    private boolean held;
    private boolean broken;

    /** What happens after the lock was read and before anything is decided. */
    private Runnable meanwhile = () -> {};

    private final WaitingRoom room = new WaitingRoom(time.ports(), () -> ++tickets, this::look);

    private void look(Turn turn) {
        looks.add(time.elapsed());
        if (broken) {
            throw new StoreUnavailable(StoreUnavailable.Kind.UNREACHABLE, "Nobody answers.");
        }
        boolean free = !held;
        meanwhile.run();
        if (free) {
            held = true;
            turn.granted(turn.queue().getFirst(), lock(turn.queue().getFirst()));
        }
    }

    /** A neighbour gives the lock back: to the head of the queue, or to nobody. */
    private void release(boolean othersWait) {
        room.turn(NAME, turn -> {
            if (turn.queue().isEmpty()) {
                held = false;
            } else if (turn.mayHandOver(othersWait)) {
                turn.granted(turn.queue().getFirst(), lock(turn.queue().getFirst()));
            } else {
                held = false;
                turn.standBack();
            }
            return turn;
        });
    }

    private Lock lock(Waiting waiting) {
        Lock.Grant grant = new Lock.Grant(
                waiting.ask().holder(), LEASE.id(), Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, null, null);
        return new Lock(NAME, ++token, Lock.Status.ACTIVE, grant, 0, null, Instant.EPOCH);
    }

    private Waiting join(String execution) {
        return room.join(ask(execution), HOUR);
    }

    private static Ask ask(String execution) {
        return new Ask(NAME, new Holder(execution, 1, "here:1:a", "alice"), LEASE);
    }

    private static @Nullable Long tokenOf(Waiting waiting) {
        return waiting.handover().getNow(null) instanceof Acquisition.Granted(Lock lock) ? lock.token() : null;
    }

    @Test
    void one_observer_looks_for_all_who_wait() {
        held = true;
        join("e0");
        time.advance(Duration.ofMinutes(1));
        int forOne = looks.size();
        looks.clear();

        for (int number = 1; number < 32; number++) {
            join("e" + number);
        }
        time.advance(Duration.ofMinutes(1));

        assertThat(looks).hasSizeBetween(forOne - 20, forOne + 20).hasSizeLessThan(125);
    }

    @Test
    void looks_come_ever_more_slowly_while_nothing_moves_but_at_least_once_a_second() {
        held = true;
        join("e1");

        time.advance(Duration.ofSeconds(20));

        assertThat(looks.getFirst()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
        List<Duration> pauses = new ArrayList<>();
        for (int at = 1; at < looks.size(); at++) {
            pauses.add(looks.get(at).minus(looks.get(at - 1)));
        }
        assertThat(pauses)
                .allSatisfy(pause -> assertThat(pause).isBetween(Duration.ofMillis(50), Duration.ofSeconds(1)));
        assertThat(pauses.subList(8, pauses.size()))
                .allSatisfy(pause -> assertThat(pause).isGreaterThanOrEqualTo(Duration.ofMillis(500)));
    }

    @Test
    void two_processes_do_not_look_in_step() {
        held = true;
        join("e1");
        List<Duration> others = new ArrayList<>();
        new WaitingRoom(time.ports(), () -> 1, turn -> others.add(time.elapsed())).join(ask("e2"), HOUR);

        time.advance(Duration.ofSeconds(10));

        assertThat(looks).doesNotContainAnyElementsOf(others);
    }

    @Test
    void a_free_lock_is_found_for_the_head_of_the_queue() {
        held = true;
        Waiting first = join("e1");
        Waiting second = join("e2");
        time.advance(Duration.ofSeconds(5));

        held = false;
        time.advance(Duration.ofSeconds(1));

        assertThat(tokenOf(first)).isEqualTo(1);
        assertThat(second.handover()).isNotDone();
        assertThat(room.queue(NAME)).containsExactly(second);
    }

    @Test
    void a_neighbour_hands_the_lock_over_and_nobody_needs_to_look() {
        held = true;
        List<Waiting> waiting = new ArrayList<>();
        for (int number = 0; number < 32; number++) {
            waiting.add(join("e" + number));
        }

        for (Waiting next : waiting) {
            release(false);
            assertThat(next.handover()).isDone();
            time.advance(Duration.ofMillis(20));
        }

        assertThat(waiting.stream().map(WaitingRoomTest::tokenOf).toList())
                .isSorted()
                .doesNotContainNull();
        assertThat(looks).isEmpty();
    }

    @Test
    void the_same_holder_asking_again_keeps_its_place() {
        held = true;
        Waiting first = join("e1");
        join("e2");

        assertThat(join("e1")).isSameAs(first);
        assertThat(room.queue(NAME).stream().map(Waiting::ticket)).containsExactly(1L, 2L);
    }

    /**
     * The look has read that the lock is free, and the head of the queue leaves before the look has taken it. Leaving
     * waits for its turn, so that it finds the grant; otherwise a lock would be held that nobody attends to.
     */
    @Test
    void whoever_leaves_while_the_lock_is_on_its_way_is_told_to_give_it_back() {
        Waiting waiting = join("e1");
        List<CompletableFuture<Optional<Lock>>> leaving = new ArrayList<>();
        meanwhile = () -> leaving.add(beside(() -> room.leave(waiting)));

        time.advance(Duration.ofMillis(100));

        assertThat(leaving.getFirst().join().orElseThrow().token()).isEqualTo(1);
        assertThat(tokenOf(waiting)).isEqualTo(1);
    }

    @Test
    void whoever_leaves_before_is_not_served() {
        held = true;
        Waiting first = join("e1");
        Waiting second = join("e2");

        assertThat(room.leave(first)).isEmpty();
        assertThat(room.leave(first)).isEmpty();
        release(false);

        assertThat(tokenOf(second)).isEqualTo(1);
        assertThat(first.handover()).isCompletedWithValue(new Handover.Dropped(Handover.Reason.CANCELLED));
    }

    /** The watch speaks after the look has read and before it has ended: what it is about would go unseen. */
    @Test
    void a_wake_during_a_look_is_followed_by_another_look() {
        held = true;
        join("e1");
        meanwhile = () -> {
            meanwhile = () -> {};
            held = false;
            room.wake(NAME);
        };

        time.advance(Duration.ofMillis(100));

        assertThat(looks).hasSize(2);
        assertThat(looks.getLast()).isEqualTo(looks.getFirst());
        assertThat(room.queue(NAME)).isEmpty();
    }

    @Test
    void a_wake_makes_the_look_happen_at_once() {
        held = true;
        Waiting waiting = join("e1");
        time.advance(Duration.ofSeconds(30));
        looks.clear();

        held = false;
        room.wake(NAME);
        time.advance(Duration.ZERO);

        assertThat(tokenOf(waiting)).isEqualTo(1);
        assertThat(looks).hasSize(1);
    }

    @Test
    void a_wake_for_what_nobody_waits_for_is_ignored() {
        room.wake(NAME);
        time.advance(HOUR);

        assertThat(looks).isEmpty();
    }

    @Test
    void a_store_that_does_not_answer_is_asked_again() {
        broken = true;
        Waiting waiting = join("e1");
        time.advance(Duration.ofSeconds(10));
        assertThat(waiting.handover()).isNotDone();

        broken = false;
        time.advance(Duration.ofSeconds(1));

        assertThat(tokenOf(waiting)).isEqualTo(1);
        assertThat(time.crashes()).isEmpty();
    }

    @Test
    void whoever_waited_too_long_is_passed_over() {
        held = true;
        Waiting brief = room.join(ask("e1"), Duration.ofSeconds(5));
        Waiting patient = join("e2");

        time.freeze(Duration.ofSeconds(5));
        release(false);

        assertThat(brief.handover()).isCompletedWithValue(new Handover.Dropped(Handover.Reason.WAITED_TOO_LONG));
        assertThat(tokenOf(patient)).isEqualTo(1);
    }

    /** Otherwise a process in which somebody always waits would keep the lock for ever. */
    @Test
    void a_busy_process_lets_others_have_the_lock_now_and_then() {
        held = true;
        int inARow = 0;
        for (int number = 0; number < 100; number++) {
            join("e" + number);
        }
        while (held) {
            release(true);
            inARow++;
        }
        assertThat(inARow).isEqualTo(33);
        looks.clear();

        time.advance(Duration.ofSeconds(1));
        assertThat(looks).as("others look at least once a second").isEmpty();
        time.advance(Duration.ofSeconds(1));

        assertThat(looks).isNotEmpty();
        assertThat(held).isTrue();
    }

    @Test
    void where_nobody_else_waits_a_process_keeps_the_lock_for_as_long_as_it_needs() {
        held = true;
        List<Waiting> waiting = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            waiting.add(join("e" + number));
        }

        waiting.forEach(next -> release(false));

        assertThat(waiting).allSatisfy(next -> assertThat(tokenOf(next)).isNotNull());
    }

    @Test
    void nobody_looks_when_nobody_waits_any_more() {
        held = true;
        Waiting waiting = join("e1");
        time.advance(Duration.ofSeconds(3));
        room.leave(waiting);
        looks.clear();

        time.advance(HOUR);

        assertThat(looks).isEmpty();
    }

    @Test
    void steps_at_one_lock_take_turns_and_steps_at_others_do_not_wait_for_them() {
        List<CompletableFuture<String>> same = new ArrayList<>();

        room.turn(NAME, turn -> {
            same.add(beside(() -> room.turn(NAME, other -> "same")));
            assertThat(beside(() -> room.turn(LockName.of("other"), other -> "other"))
                            .join())
                    .isEqualTo("other");
            assertThat(same.getFirst()).isNotDone();
            return turn;
        });

        assertThat(same.getFirst().join()).isEqualTo("same");
    }

    private static <T> CompletableFuture<T> beside(Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> done.complete(work.get()));
        return done;
    }

    @Test
    void those_who_wait_learn_that_the_store_was_closed() {
        held = true;
        Waiting waiting = join("e1");

        room.close();
        time.advance(HOUR);

        assertThat(waiting.handover()).isCompletedExceptionally();
        assertThat(looks).isEmpty();
        assertThatThrownBy(() -> join("e2")).isInstanceOf(StoreUnavailable.class);
    }
}
