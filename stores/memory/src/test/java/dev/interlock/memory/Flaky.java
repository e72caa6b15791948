package dev.interlock.memory;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Handover;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockStore;
import dev.interlock.core.Place;
import dev.interlock.core.Release;
import dev.interlock.core.SetAcquisition;
import dev.interlock.core.Standing;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A store behind a bad line: requests get lost, answers get lost, answers take their time. */
final class Flaky extends Forwarding {
    enum Verb {
        ACQUIRE,
        ACQUIRE_ALL,
        ENTER,
        LEAVE,
        RENEW,
        RELEASE,
        WITHDRAW,
        END
    }

    enum Fault {
        NONE,
        /** The store never sees the request. */
        REQUEST_LOST,
        /** The store does what was asked, and nobody learns of it. */
        ANSWER_LOST,
        /** Not an answer but a bug, in the store or on the way to it. */
        BUG
    }

    private final Map<Verb, Queue<Fault>> faults = new EnumMap<>(Verb.class);
    private final Map<Verb, CompletableFuture<Void>> gates = new EnumMap<>(Verb.class);
    private final Map<Verb, Integer> calls = new EnumMap<>(Verb.class);
    private boolean cut;

    Flaky(LockStore store) {
        super(store);
    }

    /** The next requests of that kind fail, so many of them, after those that were told of before. */
    synchronized void fail(Verb verb, Fault fault, int times) {
        for (int time = 0; time < times; time++) {
            faults.computeIfAbsent(verb, key -> new ArrayDeque<>()).add(fault);
        }
    }

    /** From now on nothing reaches the store. */
    synchronized void cut() {
        cut = true;
    }

    synchronized void heal() {
        cut = false;
        faults.clear();
    }

    /** From now on requests of that kind reach the store, but their answers wait until the gate is opened. */
    synchronized CompletableFuture<Void> delay(Verb verb) {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        gates.put(verb, gate);
        return gate;
    }

    synchronized int calls(Verb verb) {
        return calls.getOrDefault(verb, 0);
    }

    private <T> T through(Verb verb, Supplier<T> request) {
        Fault fault = next(verb);
        if (fault == Fault.BUG) {
            throw new IllegalStateException("a bug");
        }
        if (fault == Fault.REQUEST_LOST) {
            throw unreachable();
        }
        T answer = request.get();
        gate(verb).join();
        if (fault == Fault.ANSWER_LOST) {
            throw unreachable();
        }
        return answer;
    }

    private synchronized Fault next(Verb verb) {
        calls.merge(verb, 1, Integer::sum);
        Queue<Fault> coming = faults.get(verb);
        Fault fault = coming == null || coming.isEmpty() ? Fault.NONE : coming.remove();
        return cut ? Fault.REQUEST_LOST : fault;
    }

    private synchronized CompletableFuture<Void> gate(Verb verb) {
        return gates.getOrDefault(verb, CompletableFuture.completedFuture(null));
    }

    private static StoreUnavailable unreachable() {
        return new StoreUnavailable(StoreUnavailable.Kind.UNREACHABLE, "The line is bad.");
    }

    @Override
    public Acquisition acquire(Ask ask) {
        return through(Verb.ACQUIRE, () -> super.acquire(ask));
    }

    @Override
    public SetAcquisition acquireAll(List<Ask> asks) {
        return through(Verb.ACQUIRE_ALL, () -> super.acquireAll(asks));
    }

    @Override
    public Entry enter(Ask ask, Duration wait, int queueLimit) {
        Entry entry = through(Verb.ENTER, () -> super.enter(ask, wait, queueLimit));
        return entry instanceof Entry.Queued(var place, var current, var position)
                ? new Entry.Queued(new FlakyPlace(place), current, position)
                : entry;
    }

    @Override
    public List<LeaseRenewal> renew(List<Lease> leases) {
        return through(Verb.RENEW, () -> super.renew(leases));
    }

    @Override
    public Release release(Lock lock) {
        return through(Verb.RELEASE, () -> super.release(lock));
    }

    @Override
    public void withdraw(Ask ask) {
        through(Verb.WITHDRAW, () -> {
            super.withdraw(ask);
            return ask;
        });
    }

    @Override
    public void end(Lease lease) {
        through(Verb.END, () -> {
            super.end(lease);
            return lease;
        });
    }

    private final class FlakyPlace implements Place {
        private final Place place;

        FlakyPlace(Place place) {
            this.place = place;
        }

        @Override
        public CompletableFuture<Handover> handover() {
            return place.handover();
        }

        @Override
        public Optional<Standing> standing() {
            return place.standing();
        }

        @Override
        public void leave() {
            through(Verb.LEAVE, () -> {
                place.leave();
                return place;
            });
        }
    }
}
