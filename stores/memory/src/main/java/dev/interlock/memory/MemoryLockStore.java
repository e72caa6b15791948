package dev.interlock.memory;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Handover;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.SetAcquisition;
import dev.interlock.core.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** One process's view of a {@link Memory}. Every verb is one step of it, at one instant of its clock. */
public final class MemoryLockStore implements LockStore {
    private final Memory memory;
    private final List<MemoryPlace> places = new CopyOnWriteArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    public MemoryLockStore(Memory memory) {
        this.memory = memory;
    }

    @Override
    public Acquisition acquire(Ask ask) {
        return memory.step(now -> {
            requireAlive(ask.lease(), now);
            Acquisition obstacle = memory.obstacle(ask, now);
            return obstacle == null ? new Acquisition.Granted(memory.take(ask, now)) : refused(ask, obstacle, now);
        });
    }

    @Override
    public SetAcquisition acquireAll(List<Ask> asks) {
        return memory.step(now -> {
            asks.forEach(ask -> requireAlive(ask.lease(), now));
            for (Ask ask :
                    asks.stream().sorted((a, b) -> a.name().compareTo(b.name())).toList()) {
                Acquisition obstacle = memory.obstacle(ask, now);
                if (obstacle != null) {
                    return new SetAcquisition.NoneGranted(refused(ask, obstacle, now));
                }
            }
            return new SetAcquisition.AllGranted(
                    asks.stream().map(ask -> memory.take(ask, now)).toList());
        });
    }

    @Override
    public Entry enter(Ask ask, Duration wait, int queueLimit) {
        return memory.step(now -> {
            requireAlive(ask.lease(), now);
            if (memory.obstacle(ask, now) == null) {
                return new Acquisition.Granted(memory.take(ask, now));
            }
            LockRecord record = memory.lock(ask.name()).orElseThrow();
            Optional<Waiting> before = record.waiting(ask.holder());
            if (before.isEmpty() && record.queue().size() >= queueLimit) {
                memory.refused(record, ask.holder(), now);
                return new Entry.QueueFull(memory.view(record, now), queueLimit);
            }
            before.ifPresent(waiting -> waiting.again(ask, memory.open(ask.lease(), now), wait, now));
            Waiting waiting = before.orElseGet(() -> memory.enqueue(record, ask, wait, now));
            MemoryPlace place = new MemoryPlace(memory, this, waiting);
            places.add(place);
            return new Entry.Queued(
                    place, memory.view(record, now), record.queue().indexOf(waiting) + 1);
        });
    }

    private void requireAlive(Lease lease, Instant now) {
        memory.lease(lease).filter(record -> !memory.isAlive(record, now)).ifPresent(record -> {
            throw new LeaseEnded(lease);
        });
    }

    private Acquisition refused(Ask ask, Acquisition obstacle, Instant now) {
        memory.refused(memory.lock(ask.name()).orElseThrow(), ask.holder(), now);
        return obstacle;
    }

    @Override
    public Renewal renew(Lock lock) {
        return memory.step(now -> {
            Tenure tenure = tenure(lock).orElse(null);
            if (tenure == null || !tenure.isCurrent() || tenure.forced() != null) {
                return lost(lock, tenure, now);
            }
            memory.renew(tenure.lease(), now);
            return new Renewal.Renewed(view(lock.name(), now).orElseThrow());
        });
    }

    @Override
    public List<LeaseRenewal> renew(List<Lease> leases) {
        return memory.step(
                now -> leases.stream().map(lease -> renew(lease, now)).toList());
    }

    private LeaseRenewal renew(Lease lease, Instant now) {
        LeaseRecord record = memory.lease(lease).orElse(null);
        if (record == null) {
            return new LeaseRenewal.Ended(lease, Loss.Cause.FORGOTTEN);
        }
        Loss ended = record.ended();
        if (ended != null) {
            return new LeaseRenewal.Ended(lease, ended);
        }
        memory.renew(record, now);
        return new LeaseRenewal.Renewed(lease, record.expiresAt(), record.taken());
    }

    @Override
    public Release release(Lock lock) {
        return memory.step(now -> {
            Tenure tenure = tenure(lock).orElse(null);
            if (tenure == null) {
                return lost(lock, null, now);
            }
            tenure.lease().acknowledge(lock.name(), lock.token());
            if (tenure.isCurrent()) {
                memory.end(memory.lock(lock.name()).orElseThrow(), Past.Event.RELEASED, now, now);
            }
            return tenure.ending() == Past.Event.RELEASED ? new Release.Released() : lost(lock, tenure, now);
        });
    }

    private Optional<Tenure> tenure(Lock lock) {
        return memory.lock(lock.name()).flatMap(record -> record.tenure(lock.token(), lock.holder()));
    }

    private Lost lost(Lock lock, @Nullable Tenure tenure, Instant now) {
        Lock current = view(lock.name(), now).orElse(null);
        return new Lost(tenure == null ? Loss.Cause.FORGOTTEN : why(tenure, current), current);
    }

    private static Loss why(Tenure tenure, @Nullable Lock current) {
        Lock.Forced forced = tenure.forced();
        if (forced != null) {
            return new Loss.ForcedBy(forced.actor(), forced.reason());
        }
        return switch (tenure.ending()) {
            case RELEASED -> Loss.Cause.ALREADY_RELEASED;
            case HELD_TOO_LONG -> Loss.Cause.HELD_TOO_LONG;
            case EXPIRED ->
                current != null && current.token() == tenure.token() ? Loss.Cause.EXPIRED : Loss.Cause.SUPERSEDED;
            case null, default -> throw new IllegalStateException("this grant is not lost: " + tenure.token());
        };
    }

    @Override
    public void withdraw(Ask ask) {
        memory.step(now -> {
            memory.lock(ask.name()).ifPresent(record -> {
                record.waiting(ask.holder())
                        .ifPresent(waiting -> memory.drop(record, waiting, Handover.Reason.CANCELLED));
                if (record.isHeldBy(ask.holder())) {
                    memory.end(record, Past.Event.RELEASED, now, now);
                }
            });
            return now;
        });
    }

    @Override
    public void end(Lease lease) {
        memory.step(now -> {
            memory.lease(lease)
                    .filter(record -> record.ended() == null)
                    .ifPresent(record -> memory.end(record, Loss.Cause.ALREADY_RELEASED, now));
            return now;
        });
    }

    @Override
    public Forcing force(Force order) {
        return memory.step(now -> {
            LockRecord record =
                    memory.lock(order.name()).filter(LockRecord::isHeld).orElse(null);
            if (record == null) {
                return new Forcing.Free();
            }
            Lock previous = memory.view(record, now);
            if (previous.token() != order.seenToken()) {
                return new Forcing.Moved(previous);
            }
            memory.order(record, order.actor(), order.reason(), now);
            if (!order.now()) {
                return new Forcing.Releasing(previous, record.latest().expiresAt());
            }
            memory.end(record, Past.Event.FORCED, now, now);
            return new Forcing.Released(previous);
        });
    }

    @Override
    public Optional<Lock> find(LockName name) {
        return memory.step(now -> view(name, now));
    }

    private Optional<Lock> view(LockName name, Instant now) {
        return memory.lock(name).map(record -> memory.view(record, now));
    }

    @Override
    public Page<Lock> list(LockFilter filter, Page.Request page) {
        return memory.step(now -> filter.page(memory.locks().stream().map(record -> memory.view(record, now)), page));
    }

    @Override
    public List<Waiter> waiters(LockName name) {
        return memory.step(now -> memory.lock(name).map(LockRecord::waiters).orElse(List.of()));
    }

    @Override
    public boolean dropWaiter(LockName name, long ticket, String actor) {
        return memory.step(now -> {
            Optional<LockRecord> record = memory.lock(name);
            Optional<Waiting> waiting = record.stream()
                    .flatMap(found -> found.queue().stream())
                    .filter(candidate -> candidate.ticket() == ticket)
                    .findFirst();
            waiting.ifPresent(found -> memory.drop(record.orElseThrow(), found, Handover.Reason.CANCELLED));
            return waiting.isPresent();
        });
    }

    @Override
    public Page<Past> history(LockName name, Page.Request page) {
        return memory.step(now ->
                Listing.history(memory.lock(name).map(LockRecord::newestFirst).orElse(List.of()), page));
    }

    @Override
    public int prune(Duration unusedFor) {
        return memory.step(now -> memory.prune(now.minus(unusedFor), now));
    }

    @Override
    public void onTaken(Runnable listener) {
        listeners.add(listener);
        memory.listen(listener);
    }

    void left(MemoryPlace place) {
        places.remove(place);
    }

    /** The process is gone for those that share the memory; what it held and waited for falls with its leases. */
    @Override
    public void close() {
        listeners.forEach(memory::ignore);
        new ArrayList<>(places).forEach(MemoryPlace::close);
    }
}
