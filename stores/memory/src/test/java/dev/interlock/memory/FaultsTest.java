package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Attempt;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.Locks;
import dev.interlock.core.Options;
import dev.interlock.core.Page;
import dev.interlock.core.SetAttempt;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fault at every request that a small scenario makes, one after the other: by enumeration, not by luck. */
class FaultsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The first requests of that kind pass, then some fail. */
    record Case(Flaky.Verb verb, Flaky.Fault fault, int passing, int failing) {}

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Flaky.Verb verb : Flaky.Verb.values()) {
            for (Flaky.Fault fault : List.of(Flaky.Fault.REQUEST_LOST, Flaky.Fault.ANSWER_LOST)) {
                for (int passing : List.of(0, 1, 2)) {
                    for (int failing : List.of(1, 3, 1000)) {
                        cases.add(new Case(verb, fault, passing, failing));
                    }
                }
            }
        }
        return cases.stream();
    }

    private final World world = new World();
    private final Locks alice = world.locks;
    private final Locks bob = world.process("bob");
    private final List<HeldLock> handles = new ArrayList<>();

    @ParameterizedTest
    @MethodSource("cases")
    void no_fault_lets_two_in_or_leaves_anything_behind(Case fault) {
        world.store.fail(fault.verb(), Flaky.Fault.NONE, fault.passing());
        world.store.fail(fault.verb(), fault.fault(), fault.failing());

        scenario();

        assertThat(handles).noneMatch(HeldLock::isHeld);
        assertThat(world.elsewhere.list(LockFilter.ALL, Page.Request.FIRST).items())
                .allSatisfy(
                        lock -> assertThat(world.isFree(lock.name().value())).isTrue());
        assertThat(world.time.crashes()).isEmpty();
    }

    @Test
    void without_a_fault_everybody_is_served_who_waits_long_enough() {
        scenario();

        assertThat(handles.stream().map(lock -> lock.name() + " " + lock.token()))
                .containsExactly("x 1", "a 1", "b 1", "x 2", "a 2");
    }

    private void scenario() {
        HeldLock first = lock(() -> alice.tryAcquire("x", Options.refusing()));
        var waiting = world.time.begin(() -> bob.tryAcquire("x", Options.waiting(Duration.ofMinutes(1))));
        var inVain = world.time.begin(() -> alice.tryAcquire("x", Options.waiting(Duration.ofSeconds(5))));
        List<HeldLock> set = set(() -> alice.tryAcquireAll(List.of("a", "b"), Options.refusing()));
        pass(Duration.ofSeconds(25));
        giveBack(first);
        pass(Duration.ofMinutes(1));
        HeldLock second = lock(waiting::result);
        pass(Duration.ofSeconds(25));
        giveBack(second);
        set.forEach(this::giveBack);
        pass(Duration.ofSeconds(5));
        giveBack(lock(() -> bob.tryAcquire("a", Options.refusing())));
        pass(Duration.ofMinutes(2));
        assertThat(inVain.isDone()).isTrue();
    }

    /** Lets time pass, and looks every second whether those who believe to hold are right. */
    private void pass(Duration duration) {
        for (Duration left = duration; left.isPositive(); left = left.minus(SECOND)) {
            world.advance(SECOND);
            for (HeldLock handle : handles) {
                if (handle.isHeld()) {
                    Lock lock = world.find(handle.name().value());
                    assertThat(lock.isHeld()).as("%s is held", handle.name()).isTrue();
                    assertThat(lock.token()).isEqualTo(handle.token());
                }
            }
        }
    }

    private HeldLock lock(Callable<Attempt> request) {
        return request(request) instanceof Attempt.Acquired(HeldLock lock) ? kept(lock) : null;
    }

    private List<HeldLock> set(Callable<SetAttempt> request) {
        return request(request) instanceof SetAttempt.Acquired(var locks)
                ? locks.locks().stream().map(this::kept).toList()
                : List.of();
    }

    private HeldLock kept(HeldLock lock) {
        handles.add(lock);
        return lock;
    }

    /** The answer; null when the store could not give one. */
    private <T> T request(Callable<T> request) {
        try {
            return world.time.call(request);
        } catch (StoreUnavailable e) {
            return null;
        }
    }

    private void giveBack(HeldLock lock) {
        if (lock != null) {
            try {
                lock.release();
            } catch (StoreUnavailable e) {
                lock.close();
            }
        }
    }
}
