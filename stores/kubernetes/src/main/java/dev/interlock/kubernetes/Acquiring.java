package dev.interlock.kubernetes;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.SetAcquisition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes locks at once or not at all. */
final class Acquiring {
    private final Lanes lanes;
    private final LeaseBook book;
    private final Leases leases;
    private final Parallel parallel;
    private final Function<Ask, String> identity;

    Acquiring(Lanes lanes, LeaseBook book, Leases leases, Parallel parallel, Function<Ask, String> identity) {
        this.lanes = lanes;
        this.book = book;
        this.leases = leases;
        this.parallel = parallel;
        this.identity = identity;
    }

    /** A grant, and the lease that had to run out for it. */
    private record Taking(
            Acquisition answer,
            @Nullable LeaseTimes times,
            @Nullable UUID ranOut) {
        boolean isGrant() {
            return answer instanceof Acquisition.Granted;
        }
    }

    Acquisition one(Ask ask) {
        return one(ask, step -> lanes.change(ask.name(), step));
    }

    private Acquisition one(Ask ask, Function<Lanes.Step<Taking>, Taking> lane) {
        leases.requireAlive(ask.lease());
        book.begin(ask.lease(), ask.name());
        try {
            Taking taking = lane.apply(record -> take(record, ask));
            if (taking.answer() instanceof Acquisition.Granted(Lock lock) && taking.times() != null) {
                book.holds(ask.lease(), ask.name(), lock.token(), taking.times());
            }
            leases.revoke(taking.ranOut());
            return taking.answer();
        } finally {
            book.finish(ask.lease(), ask.name());
        }
    }

    private Taking take(LockRecord record, Ask ask) {
        UUID ranOut = record.expired();
        LeaseTimes times = book.times(ask.lease(), record.now());
        Acquisition answer = Grants.acquire(record, ask, identity.apply(ask), times);
        Tenure tenure = record.tenure();
        return new Taking(
                answer, tenure == null ? null : tenure.times(), answer instanceof Acquisition.Granted ? ranOut : null);
    }

    /**
     * There is no transaction over several objects. All are looked at before the first is written, and they are taken
     * in canonical order; when one has been lost to somebody else meanwhile, those before it are given back.
     */
    SetAcquisition all(List<Ask> asks) {
        asks.forEach(ask -> leases.requireAlive(ask.lease()));
        List<Ask> sorted = asks.stream().sorted(Comparator.comparing(Ask::name)).toList();
        Map<LockName, Seen> seen = look(sorted);
        Map<LockName, Lock> granted = new ConcurrentHashMap<>();
        Acquisition obstacle = obstacle(sorted, seen);
        if (obstacle == null) {
            obstacle = takeAll(sorted, seen, granted);
        }
        sorted.forEach(ask -> lanes.forget(ask.name()));
        return obstacle == null
                ? new SetAcquisition.AllGranted(asks.stream()
                        .map(ask -> Objects.requireNonNull(granted.get(ask.name())))
                        .toList())
                : new SetAcquisition.NoneGranted(obstacle);
    }

    /** @param had the asker has it already, and keeps it whatever becomes of the others */
    private record Seen(boolean had, boolean blocked) {}

    private Map<LockName, Seen> look(List<Ask> asks) {
        Map<LockName, Seen> seen = new ConcurrentHashMap<>();
        parallel.each(asks, ask -> {
            LockRecord record = lanes.glance(ask.name());
            Grants.requireAlive(record, ask.lease());
            seen.put(ask.name(), new Seen(record.isHeldBy(ask.holder()), Grants.obstacle(record, ask) != null));
        });
        return seen;
    }

    private static Seen of(Map<LockName, Seen> seen, Ask ask) {
        return Objects.requireNonNull(seen.get(ask.name()));
    }

    /** Whatever is in the way is asked for by itself, so that the refusal is in its history. */
    private @Nullable Acquisition obstacle(List<Ask> sorted, Map<LockName, Seen> seen) {
        for (Ask ask : sorted) {
            if (of(seen, ask).blocked()) {
                Acquisition answer = one(ask);
                if (!(answer instanceof Acquisition.Granted(Lock lock))) {
                    return answer;
                }
                undo(lock); // It has become free meanwhile; the others have not been taken, so it is asked for again.
            }
        }
        return null;
    }

    private @Nullable Acquisition takeAll(List<Ask> sorted, Map<LockName, Seen> seen, Map<LockName, Lock> granted) {
        boolean complete = false;
        List<Lock> taken = new ArrayList<>();
        try {
            for (Ask ask : sorted) {
                Acquisition answer = one(ask, step -> lanes.continuing(ask.name(), step, Taking::isGrant));
                if (!(answer instanceof Acquisition.Granted(Lock lock))) {
                    return answer;
                }
                granted.put(ask.name(), lock);
                if (!of(seen, ask).had()) {
                    taken.add(lock);
                }
            }
            complete = true;
            return null;
        } finally {
            if (!complete) {
                taken.reversed().forEach(this::undo);
            }
        }
    }

    private void undo(Lock lock) {
        lanes.continuing(
                lock.name(),
                record -> {
                    Endings.undo(record, lock);
                    return record.isChanged();
                },
                done -> done);
        book.gaveBack(lock.grant().lease(), lock.name(), lock.token());
    }
}
