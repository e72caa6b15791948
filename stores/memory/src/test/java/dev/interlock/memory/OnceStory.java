package dev.interlock.memory;

import dev.interlock.contract.ManualPorts;
import dev.interlock.contract.once.Point;
import dev.interlock.contract.once.Variant;
import dev.interlock.core.Force;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Identity;
import dev.interlock.core.Lock;
import dev.interlock.core.LockLost;
import dev.interlock.core.LockName;
import dev.interlock.core.Locks;
import dev.interlock.core.Once;
import dev.interlock.core.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Alice stops somewhere in the middle of her {@code once}, something happens to her, two others want the same thing, and
 * then she goes on, if she is still alive.
 */
final class OnceStory {
    private static final String KEY = "request/fingerprint-7";
    private static final Duration LONG = Duration.ofMinutes(2);

    /** What happens to her meanwhile. */
    enum Fault {
        NONE,
        /** Her process is killed. */
        DEATH,
        /** Her process cannot reach the store for longer than her lease. */
        PARTITION,
        /** Somebody takes the lock from her. */
        FORCE,
        /** The store ends her lease, and she does not know it when she goes on. */
        EARLY_EXPIRY
    }

    /** How her creation keeps from happening after the loss of the lock. */
    enum Guard {
        /** Not at all: then there may be two things, but still no two that were told to have created it. */
        NONE,
        /** By her own clock, right before the step that others see. */
        OWN_DEADLINE,
        /** By the store that grants, in the same step, as {@code interlock.fence} does. */
        FENCE
    }

    record Case(Point point, Fault fault, Guard guard) {
        /** No clock of Alice's can tell what the store did behind her back. */
        boolean isPromised() {
            return guard == Guard.FENCE || (fault != Fault.EARLY_EXPIRY && fault != Fault.FORCE);
        }
    }

    private record Thing(String by, long token) {}

    private final World world = new World();
    private final Flaky line = new Flaky(new MemoryLockStore(world.memory));
    private final Locks alice = new Locks(
            line, new Identity("alice-host:1:abc", "alice@example.com"), Settings.DEFAULT, world.time.ports());
    private final List<Thing> things = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> gate = new CompletableFuture<>();
    private final Variant variant;
    private final Case story;

    OnceStory(Variant variant, Case story) {
        this.variant = variant;
        this.story = story;
    }

    /** What went wrong, in words; nothing when all is well. */
    List<String> violations() {
        var first = world.time.begin(() -> once("alice", alice));
        happen();
        var second = world.time.begin(() -> once("bob", world.process("bob")));
        var third = world.time.begin(() -> once("carol", world.process("carol")));
        if (story.fault() == Fault.EARLY_EXPIRY || story.fault() == Fault.NONE) {
            gate.complete(null);
        }
        world.advance(LONG);
        line.heal();
        if (story.fault() != Fault.DEATH) {
            gate.complete(null);
        }
        world.advance(LONG);

        List<String> violations = new ArrayList<>();
        List<Once<Thing>> answers = new ArrayList<>();
        answer("bob", second, answers, violations);
        answer("carol", third, answers, violations);
        if (story.fault() != Fault.DEATH) {
            answer("alice", first, answers, violations);
        }
        check(answers, violations);
        return violations;
    }

    private void happen() {
        switch (story.fault()) {
            case NONE -> {}
            case DEATH, PARTITION -> line.cut();
            case FORCE ->
                lock().ifPresent(lock ->
                        world.elsewhere.force(new Force(lock.name(), lock.token(), "oncall", "wrong cluster", true)));
            case EARLY_EXPIRY ->
                lock().ifPresent(lock -> world.expire(world.record(KEY).latest().lease()));
        }
    }

    private Optional<Lock> lock() {
        return world.elsewhere.find(LockName.of(KEY)).filter(Lock::isHeld);
    }

    private Once<Thing> once(String who, Locks locks) throws InterruptedException {
        boolean[] looked = new boolean[1];
        return variant.once(
                locks,
                KEY,
                () -> {
                    Optional<Thing> there = things.stream().findFirst();
                    stop(who, looked[0] ? Point.LOOKED_AGAIN : Point.LOOKED);
                    looked[0] = true;
                    return there;
                },
                lock -> create(who, lock));
    }

    private Thing create(String who, HeldLock lock) {
        stop(who, Point.CREATING);
        switch (story.guard()) {
            case NONE -> {}
            case OWN_DEADLINE -> lock.requireAtLeast(Duration.ofSeconds(1));
            case FENCE -> fence(lock);
        }
        Thing thing = new Thing(who, lock.token());
        things.add(thing);
        stop(who, Point.CREATED);
        return thing;
    }

    private void fence(HeldLock held) {
        Lock present = world.find(held.name().value());
        if (!present.isHeld() || present.token() != held.token()) {
            throw new Fenced();
        }
    }

    private static final class Fenced extends RuntimeException {}

    private void stop(String who, Point point) {
        if (who.equals("alice") && point == story.point()) {
            gate.join();
        }
    }

    private void answer(
            String who, ManualPorts.Call<Once<Thing>> call, List<Once<Thing>> answers, List<String> violations) {
        if (!call.isDone()) {
            violations.add(who + " still waits");
            return;
        }
        try {
            answers.add(call.result());
        } catch (LockLost | Fenced e) {
            if (!who.equals("alice") || story.fault() == Fault.NONE) {
                violations.add(who + " failed: " + e);
            }
        } catch (RuntimeException e) {
            violations.add(who + " failed: " + e);
        }
    }

    private void check(List<Once<Thing>> answers, List<String> violations) {
        if (things.isEmpty() || (story.guard() != Guard.NONE && things.size() > 1)) {
            violations.add("there are " + things);
        }
        long created = answers.stream().filter(Once.Created.class::isInstance).count();
        if (created > 1 || (story.fault() == Fault.NONE && created != 1)) {
            violations.add("told to have created it: " + answers);
        }
        if (!answers.stream().map(Once::value).allMatch(things::contains)) {
            violations.add("told of what does not exist: " + answers);
        }
        if (!world.isFree(KEY)) {
            violations.add("the lock stays behind: " + world.find(KEY));
        }
        world.time.crashes().forEach(crash -> violations.add("background work died of " + crash));
    }
}
