package dev.interlock.dynamodb;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.SetAcquisition;
import dev.interlock.dynamodb.Granting.Taking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Asking without waiting. */
final class Acquiring {
    /** As many as one transaction may write; each lock may need its last tenure written down. */
    private static final int MOST_WRITES = 100;

    private final Requests requests;
    private final Leases leases;
    private final Judge judge;
    private final Journal journal;
    private final Granting granting;
    private final Floor floor;
    private final Consumer<Lock> release;

    Acquiring(
            Requests requests,
            Leases leases,
            Judge judge,
            Journal journal,
            Granting granting,
            Floor floor,
            Consumer<Lock> release) {
        this.requests = requests;
        this.leases = leases;
        this.judge = judge;
        this.journal = journal;
        this.granting = granting;
        this.floor = floor;
        this.release = release;
    }

    Acquisition acquire(Ask ask) {
        String lockId = granting.newLockId();
        for (int attempt = 1; ; attempt++) {
            Acquisition answer = switch (granting.take(ask, lockId)) {
                case Write.Done(Item item) ->
                    new Acquisition.Granted(granting.granted(ask, Objects.requireNonNull(LockRecord.from(item))));
                case Write.Refused(Item current, int at) -> decide(ask, lockId, LockRecord.from(current));
            };
            if (answer != null) {
                return answer;
            }
            requests.pause(attempt);
        }
    }

    /** Null when the lock has changed so that it must be asked for anew. */
    private @Nullable Acquisition decide(Ask ask, String lockId, @Nullable LockRecord first) {
        LockRecord lock = first;
        for (int attempt = 1; lock != null; attempt++) {
            if (lock.tenure().lockId().equals(lockId)) {
                // Our own write, whose answer was lost on the way and which the client has sent again.
                return new Acquisition.Granted(granting.granted(ask, lock));
            }
            Judged judged = judge.quickly(lock);
            if (judged.isHeldBy(ask.holder())) {
                Lock own = granting.again(judged, ask);
                if (own != null) {
                    return new Acquisition.Granted(own);
                }
                lock = granting.read(lock);
            } else {
                Acquisition obstacle = Granting.obstacle(judged);
                if (obstacle != null) {
                    journal.refused(lock, ask.holder());
                    return obstacle;
                }
                switch (granting.takeOver(judged, ask, lockId, List.of())) {
                    case Taking.Taken(LockRecord taken) -> {
                        return new Acquisition.Granted(granting.granted(ask, taken));
                    }
                    case Taking.Changed(LockRecord changed) -> lock = changed;
                }
            }
            requests.pause(attempt);
        }
        return null;
    }

    /**
     * All or none. Up to a hundred writes are one transaction; a larger set is taken in several, and given back when a
     * later one finds an obstacle.
     */
    SetAcquisition acquireAll(List<Ask> asks) {
        List<Ask> sorted = asks.stream().sorted(Comparator.comparing(Ask::name)).toList();
        Map<LockName, Lock> granted = new HashMap<>();
        int from = 0;
        for (int attempt = 1; from < sorted.size(); ) {
            Attempt result = some(sorted, from);
            if (result.obstacle() != null) {
                granted.values().forEach(release);
                return new SetAcquisition.NoneGranted(result.obstacle());
            }
            granted.putAll(result.granted());
            from += result.granted().size();
            if (result.granted().isEmpty()) {
                requests.pause(attempt++);
            }
        }
        return new SetAcquisition.AllGranted(asks.stream()
                .map(ask -> Objects.requireNonNull(granted.get(ask.name())))
                .toList());
    }

    /** Neither an obstacle nor a grant when something changed meanwhile. */
    private record Attempt(@Nullable Acquisition obstacle, Map<LockName, Lock> granted) {
        static final Attempt AGAIN = new Attempt(null, Map.of());
    }

    private Attempt some(List<Ask> sorted, int from) {
        List<Ask> open = sorted.subList(from, sorted.size());
        open.forEach(ask -> leases.require(ask.lease()));
        Map<LockName, Item> items = new HashMap<>();
        requests.getAll(open.stream().map(ask -> LockRecord.key(ask.name())).toList())
                .forEach(item -> items.put(LockName.of(item.text(Item.NAME)), item));
        List<Claim> claims = new ArrayList<>();
        for (Ask ask : open) {
            Item item = items.get(ask.name());
            LockRecord lock = LockRecord.from(item);
            Judged judged = lock == null ? null : judge.quickly(lock);
            boolean own = judged != null && judged.isHeldBy(ask.holder());
            Acquisition obstacle = judged == null || own ? null : Granting.obstacle(judged);
            if (lock != null && obstacle != null) {
                journal.refused(lock, ask.holder());
                return new Attempt(obstacle, Map.of());
            }
            claims.add(new Claim(ask, item, judged, own));
        }
        return write(claims);
    }

    private record Claim(
            Ask ask, @Nullable Item item, @Nullable Judged judged, boolean own) {}

    private Attempt write(List<Claim> claims) {
        List<TransactWriteItem> writes = new ArrayList<>();
        Map<LockName, LockRecord> taken = new HashMap<>();
        Map<LockName, Lock> granted = new HashMap<>();
        for (Claim claim : claims) {
            if (writes.size() + 2 > MOST_WRITES) {
                break;
            }
            Judged judged = claim.judged();
            if (claim.own() && judged != null) {
                Lock own = granting.again(judged, claim.ask());
                if (own == null) {
                    return Attempt.AGAIN;
                }
                granted.put(claim.ask().name(), own);
                continue;
            }
            if (judged != null && judged.expired() && !revoked(judged)) {
                return Attempt.AGAIN;
            }
            taken.put(claim.ask().name(), add(claim, writes));
        }
        if (!writes.isEmpty() && requests.transact(writes) instanceof Write.Refused) {
            return Attempt.AGAIN;
        }
        for (Claim claim : claims) {
            LockRecord lock = taken.get(claim.ask().name());
            if (lock != null) {
                granted.put(lock.name(), granting.granted(claim.ask(), lock));
            }
        }
        return new Attempt(null, granted);
    }

    private boolean revoked(Judged judged) {
        var holder = judged.lock().tenure().holder();
        return leases.revoke(judged.lease(), judged.record(), holder.owner(), holder.user());
    }

    private LockRecord add(Claim claim, List<TransactWriteItem> writes) {
        Ask ask = claim.ask();
        Tenure tenure = Tenure.of(
                ask,
                granting.newLockId(),
                leases.require(ask.lease()),
                requests.clock().latest());
        Judged judged = claim.judged();
        if (judged == null) {
            Item bare = claim.item();
            long token =
                    bare == null ? floor.current() : Math.max(floor.current(), bare.as(found -> found.number("token")));
            long version = bare == null ? 0 : bare.as(found -> found.number(Item.VERSION));
            LockRecord lock = new LockRecord(ask.name(), version + 1, token + 1, tenure, null, List.of());
            writes.add(requests.putting(lock.item(), Change.unchanged(version)));
            return lock;
        }
        LockRecord lock = judged.lock().granted(tenure, List.of());
        writes.add(requests.putting(lock.item(), Change.unchanged(judged.lock())));
        if (judged.lock().ending() == null && judged.over() != null) {
            writes.add(requests.putting(journal.ended(judged.lock(), judged.over())));
        }
        return lock;
    }
}
