package dev.interlock.dynamodb;

import dev.interlock.core.LockName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Lets go of what nobody uses. The floor is raised first; then each record shrinks to its bare token, which the name
 * goes on counting from; a day later, when every process knows the new floor, the token goes too.
 */
final class Pruning {
    private static final String PRUNED = "pruned";
    private static final int AT_ONCE = 100;

    /** What happened lately is kept, however short the time. */
    private static final Duration A_DAY = Duration.ofDays(1);

    private final Requests requests;
    private final Listing listing;
    private final Leases leases;
    private final History history;
    private final Floor floor;
    private final Snapshots snapshots;

    Pruning(Requests requests, Listing listing, Leases leases, History history, Floor floor, Snapshots snapshots) {
        this.requests = requests;
        this.listing = listing;
        this.leases = leases;
        this.history = history;
        this.floor = floor;
        this.snapshots = snapshots;
    }

    int prune(Duration unusedFor) {
        int pruned = 0;
        Listing.Names names = listing.names(LockRecord.RECORD);
        for (List<String> some = names.next(AT_ONCE); !some.isEmpty(); some = names.next(AT_ONCE)) {
            pruned += prune(listing.records(some, Pruning::leave), unusedFor);
        }
        letGoOfTokens();
        letGoOfLeases(unusedFor);
        return pruned;
    }

    /** What cannot be read stays as it is; listing tells of it. */
    private static void leave(String fault) {}

    /** Asked anew for each page, right after it was read, when the server's clock is known best. */
    private Instant before(Duration age) {
        return requests.clock().latest().plus(ServerClock.SKEW).minus(age);
    }

    private int prune(List<LockRecord> locks, Duration unusedFor) {
        Instant unusedSince = before(unusedFor);
        Instant old = before(unusedFor.compareTo(A_DAY) > 0 ? unusedFor : A_DAY);
        locks.forEach(lock -> history.forget(lock.name(), old));
        List<Judged> unused = listing.judged(locks, Pruning::leave).stream()
                .filter(judged -> judged.isFree() && judged.waiting().isEmpty())
                .filter(judged -> !lastUsed(judged).isAfter(unusedSince))
                .toList();
        if (unused.isEmpty()) {
            return 0;
        }
        floor.raise(
                unused.stream().mapToLong(judged -> judged.lock().token()).max().orElseThrow());
        return Math.toIntExact(unused.stream().filter(this::shrink).count());
    }

    private static Instant lastUsed(Judged judged) {
        return Objects.requireNonNull(judged.over()).at();
    }

    /** A lease that has run out is revoked first, like in a takeover: its holder must not renew what is gone. */
    private boolean shrink(Judged judged) {
        LockRecord lock = judged.lock();
        if (judged.expired()
                && !leases.revoke(
                        judged.lease(),
                        judged.record(),
                        lock.tenure().holder().owner(),
                        lock.tenure().holder().user())) {
            return false;
        }
        Item bare = LockRecord.key(lock.name())
                .with("token", lock.token())
                .with("status", LockRecord.RELEASED)
                .with(Item.VERSION, lock.version() + 1)
                .with("pruned_at", requests.clock().latest())
                .with(Item.LISTING, PRUNED)
                .with(Item.LISTING_ORDER, LockRecord.order(lock.name().value()));
        if (requests.put(bare, Change.unchanged(lock)) instanceof Write.Refused) {
            return false;
        }
        snapshots.forget(lock.name());
        history.forget(lock.name(), Instant.MAX);
        return true;
    }

    private void letGoOfTokens() {
        Listing.Names names = listing.names(PRUNED);
        for (List<String> some = names.next(AT_ONCE); !some.isEmpty(); some = names.next(AT_ONCE)) {
            for (Item bare : requests.getAll(
                    some.stream().map(name -> LockRecord.key(LockName.of(name))).toList())) {
                Instant prunedAt = bare.instantOrNull("pruned_at");
                if (prunedAt != null && requests.clock().hasCome(prunedAt.plus(Floor.GRACE))) {
                    requests.delete(
                            Item.key(bare.text(Item.NAME), LockRecord.RECORD),
                            Change.bare(bare.as(found -> found.number(Item.VERSION))));
                }
            }
        }
    }

    private void letGoOfLeases(Duration unusedFor) {
        Listing.Names names = listing.names(LeaseRecord.RECORD);
        for (List<String> some = names.next(AT_ONCE); !some.isEmpty(); some = names.next(AT_ONCE)) {
            requests
                    .getAll(some.stream()
                            .map(id -> Item.key(id, LeaseRecord.RECORD))
                            .toList())
                    .stream()
                    .map(LeaseRecord::from)
                    .filter(lease ->
                            lease.ended() != null && !lease.times().expiresAt().isAfter(before(unusedFor)))
                    .forEach(lease ->
                            requests.delete(LeaseRecord.key(lease.times().id()), Change.unchanged(lease.version())));
        }
    }
}
