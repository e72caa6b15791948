package dev.interlock.kubernetes;

import dev.interlock.core.LockName;
import dev.interlock.core.Ports;
import dev.interlock.core.polling.Sightings;
import dev.interlock.kubernetes.Api.Conflict;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes locks, one at a time for each name: reads the Lease, lets the steps of all threads that have gathered change
 * the copy one after the other, and writes it once, on condition that nobody else has meanwhile; else all of it again.
 * So threads of one process never race each other at the server, and many of them cost hardly more than one.
 */
final class Lanes {
    private static final int TRIES = 12;
    private static final Duration FIRST_DELAY = Duration.ofMillis(4);
    private static final Duration LONGEST_DELAY = Duration.ofMillis(500);

    private final Api api;
    private final ObjectNames names;
    private final ServerClock clock;
    private final Ports ports;
    private final Sightings sightings;
    private final Predicate<LockName> worthRemembering;
    private final Listener listener;
    private final ConcurrentHashMap<LockName, Lane> lanes = new ConcurrentHashMap<>();

    /** Told of every state of a lock that this process gets to know. */
    interface Listener {
        void saw(LockRecord record);
    }

    interface Step<T> {
        T on(LockRecord record);
    }

    /** @param worthRemembering whether this process will soon write the lock again, and need not read it before */
    Lanes(
            Api api,
            ObjectNames names,
            ServerClock clock,
            Ports ports,
            Predicate<LockName> worthRemembering,
            Listener listener) {
        this.api = api;
        this.names = names;
        this.clock = clock;
        this.ports = ports;
        this.sightings = new Sightings(ports.ticker());
        this.worthRemembering = worthRemembering;
        this.listener = listener;
    }

    private static final class Lane {
        final Deque<Turn<?>> waiting = new ArrayDeque<>();
        boolean busy;
        int users;

        @Nullable Lease remembered;
    }

    /** @param sure whether an answer that rests on a remembered version will do, once that version has been replaced */
    private record Turn<T>(Step<T> step, @Nullable Predicate<T> sure, CompletableFuture<T> answer) {
        Outcome<T> on(LockRecord record) {
            try {
                return new Outcome<>(this, step.on(record), null);
            } catch (RuntimeException e) {
                return new Outcome<>(this, null, e);
            }
        }
    }

    private record Outcome<T>(
            Turn<T> turn, @Nullable T value, @Nullable RuntimeException failure) {
        boolean isSure() {
            return failure == null
                    && turn.sure() != null
                    && value != null
                    && turn.sure().test(value);
        }

        void tell() {
            if (failure != null) {
                turn.answer().completeExceptionally(failure);
            } else {
                turn.answer().complete(value);
            }
        }
    }

    /** Looks without changing anything: what time has done is shown and not written. */
    LockRecord look(LockName name) {
        Api.Seen seen = api.get(names.of(name));
        LockRecord record = read(name, seen);
        listener.saw(record);
        return record;
    }

    /** As {@link #look}, and remembers the version for a {@link #continuing} step that follows at once. */
    LockRecord glance(LockName name) {
        Api.Seen seen = api.get(names.of(name));
        Lane lane = enter(name);
        try {
            synchronized (lane) {
                lane.remembered = seen.lease();
            }
            return read(name, seen);
        } finally {
            leave(name, lane, true);
        }
    }

    String objectOf(LockName name) {
        return names.of(name);
    }

    /** Tells of every change after this version: null when the Lease was deleted. */
    Api.Watch watch(LockName name, long afterVersion, Consumer<@Nullable Lease> changes, Runnable ended) {
        return api.watch(names.of(name), afterVersion, changes, ended);
    }

    /** Changes the lock as it is now. */
    <T> T change(LockName name, Step<T> step) {
        return take(name, step, null);
    }

    /** Changes the lock as this process remembers it, if it still is so; otherwise as it is now. */
    <T> T continuing(LockName name, Step<T> step, Predicate<T> sure) {
        return take(name, step, sure);
    }

    /** The version that was glanced at is not needed after all. */
    void forget(LockName name) {
        leave(name, enter(name), false);
    }

    private <T> T take(LockName name, Step<T> step, @Nullable Predicate<T> sure) {
        Turn<T> turn = new Turn<>(step, sure, new CompletableFuture<>());
        Lane lane = enter(name);
        try {
            boolean drive;
            synchronized (lane) {
                lane.waiting.add(turn);
                drive = !lane.busy;
                lane.busy = true;
            }
            if (drive) {
                drive(name, lane, turn);
            }
            return turn.answer().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        } finally {
            leave(name, lane, false);
        }
    }

    private Lane enter(LockName name) {
        return lanes.compute(name, (key, before) -> {
            Lane lane = before == null ? new Lane() : before;
            lane.users++;
            return lane;
        });
    }

    private void leave(LockName name, Lane lane, boolean remember) {
        boolean keep = remember || worthRemembering.test(name);
        lanes.computeIfPresent(name, (key, current) -> {
            lane.users--;
            return lane.users == 0 && !keep ? null : current;
        });
    }

    /** Whoever finds the lane empty drives for all; once its own turn is done, somebody else goes on. */
    private void drive(LockName name, Lane lane, Turn<?> own) {
        while (true) {
            List<Turn<?>> batch;
            synchronized (lane) {
                if (lane.waiting.isEmpty()) {
                    lane.busy = false;
                    return;
                }
                if (own.answer().isDone()) {
                    Turn<?> next = lane.waiting.getFirst();
                    ports.tasks().start("interlock-lane", () -> drive(name, lane, next));
                    return;
                }
                batch = List.copyOf(lane.waiting);
                lane.waiting.clear();
            }
            try {
                run(name, lane, batch);
            } catch (RuntimeException | Error e) {
                batch.forEach(turn -> turn.answer().completeExceptionally(e));
            }
        }
    }

    private void run(LockName name, Lane lane, List<Turn<?>> batch) {
        String object = names.of(name);
        Lease base = remembered(lane, batch);
        boolean fresh = base == null;
        Api.Seen seen = fresh ? api.get(object) : new Api.Seen(base, 0);
        for (int attempt = 1; ; attempt++) {
            LockRecord record = fresh ? read(name, seen) : LeaseObject.read(name, base, clock.now(), Duration.ZERO);
            base = seen.lease();
            record.handOver();
            List<Outcome<?>> outcomes = new ArrayList<>();
            for (Turn<?> turn : batch) {
                outcomes.add(turn.on(record));
            }
            try {
                if (fresh || (record.isChanged() && outcomes.stream().allMatch(Outcome::isSure))) {
                    if (base == null && record.isChanged()) {
                        // Tokens begin with the number of the first version, so there must be one before any grant.
                        base = api.create(LeaseObject.fresh(object, api.namespace(), name));
                        seen = new Api.Seen(base, ports.ticker().nanos());
                        continue;
                    }
                    Lease now = base == null || !record.isChanged()
                            ? base
                            : api.replace(LeaseObject.replacing(base, record));
                    synchronized (lane) {
                        lane.remembered = now;
                    }
                    if (now != null) {
                        record = record.written(now.getMetadata().getUid(), LeaseObject.version(now));
                    }
                    listener.saw(record);
                    outcomes.forEach(Outcome::tell);
                    return;
                }
            } catch (Conflict e) {
                if (attempt >= TRIES) {
                    throw Failures.contended(object);
                }
                pause(attempt);
            }
            fresh = true;
            seen = api.get(object);
        }
    }

    private static @Nullable Lease remembered(Lane lane, List<Turn<?>> batch) {
        synchronized (lane) {
            return batch.stream().allMatch(turn -> turn.sure() != null) ? lane.remembered : null;
        }
    }

    private LockRecord read(LockName name, Api.Seen seen) {
        return record(name, seen.lease(), seen.sentAt());
    }

    /** A Lease from a list or a watch, at the moment it came. */
    LockRecord record(LockName name, @Nullable Lease lease, long sentAt) {
        if (lease == null) {
            sightings.forget(name);
            return LeaseObject.read(name, null, clock.now(), Duration.ZERO);
        }
        Duration unchangedFor = sightings.stillFor(name, LeaseObject.pulse(lease), sentAt);
        return LeaseObject.read(name, lease, clock.now(), unchangedFor);
    }

    /** Turns must not be interrupted: they are other threads' too. */
    private void pause(int attempt) {
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(attempt - 1, 10));
        Duration capped = delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
        CompletableFuture<Void> over = new CompletableFuture<>();
        ports.timers().after(ports.jittered(capped), () -> over.complete(null));
        over.join();
    }
}
