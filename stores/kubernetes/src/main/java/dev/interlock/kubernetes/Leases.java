package dev.interlock.kubernetes;

import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Past;
import dev.interlock.core.Renewal;
import dev.interlock.core.StoreUnavailable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Carries leases on and ends them, on every lock that hangs on them. */
final class Leases {
    private final Api api;
    private final Lanes lanes;
    private final LeaseBook book;
    private final ServerClock clock;
    private final Parallel parallel;

    Leases(Api api, Lanes lanes, LeaseBook book, ServerClock clock, Parallel parallel) {
        this.api = api;
        this.lanes = lanes;
        this.book = book;
        this.clock = clock;
        this.parallel = parallel;
    }

    void requireAlive(Lease lease) {
        if (book.knows(lease.id())) {
            book.times(lease, clock.now());
        }
    }

    private List<LockName> labelled(UUID lease) {
        return api.list(LeaseObject.LEASE + "=" + lease).stream()
                .flatMap(found -> LeaseObject.name(found).stream())
                .sorted()
                .toList();
    }

    private List<LockName> names(UUID lease) {
        return book.knows(lease) ? book.names(lease) : labelled(lease);
    }

    // Renewing.

    /** The renewal of one lock renews the lease under all of them. */
    Renewal renew(Lock lock) {
        record Renewing(Renewal answer, @Nullable Tenure tenure) {}
        Renewing renewing = lanes.continuing(
                lock.name(),
                record -> {
                    Tenure tenure = record.tenure();
                    if (tenure != null && book.ended(tenure.lease()) != null) {
                        Endings.end(record, leaseOf(tenure), Past.Event.EXPIRED);
                    }
                    return new Renewing(Grants.renew(record, lock), record.tenure());
                },
                done -> done.answer() instanceof Renewal.Renewed);
        if (renewing.answer() instanceof Renewal.Renewed && renewing.tenure() != null) {
            renewSiblings(
                    lock.name(), leaseOf(renewing.tenure()), renewing.tenure().times());
        }
        return renewing.answer();
    }

    private static Lease leaseOf(Tenure tenure) {
        return new Lease(
                tenure.lease(), tenure.holder().owner(), tenure.holder().user(), tenure.duration());
    }

    private void renewSiblings(LockName renewed, Lease lease, LeaseTimes times) {
        book.renewed(lease.id(), times);
        List<LockName> others =
                names(lease.id()).stream().filter(name -> !name.equals(renewed)).toList();
        parallel.each(others, name -> changing(name, record -> Grants.renew(record, lease, times)));
    }

    private interface Change {
        void on(LockRecord record);
    }

    private void changing(LockName name, Change change) {
        lanes.continuing(
                name,
                record -> {
                    change.on(record);
                    return record.isChanged();
                },
                done -> done);
    }

    LeaseRenewal renew(Lease lease) {
        if (!book.knows(lease.id()) && !adopt(lease)) {
            return new LeaseRenewal.Ended(lease, Loss.Cause.FORGOTTEN);
        }
        return switch (book.renewing(lease, clock.now())) {
            case LeaseBook.Renewing.Unknown unknown -> new LeaseRenewal.Ended(lease, Loss.Cause.FORGOTTEN);
            case LeaseBook.Renewing.Over(Loss why) -> new LeaseRenewal.Ended(lease, why);
            case LeaseBook.Renewing.Now(LeaseTimes times, List<LockName> all) -> renew(lease, times, all);
        };
    }

    /** Another process opened this lease; its locks are found by their label. */
    private boolean adopt(Lease lease) {
        for (LockName name : labelled(lease.id())) {
            Tenure tenure = lanes.look(name).tenure();
            if (tenure != null && tenure.isCurrent() && tenure.lease().equals(lease.id())) {
                book.holds(lease, name, tenure.token(), tenure.times());
            }
        }
        return book.knows(lease.id());
    }

    /** What one lock had to say when its lease was renewed. */
    private record News(
            List<LeaseRenewal.Taken> taken, @Nullable Loss ended) {
        boolean isGood() {
            return taken.isEmpty() && ended == null;
        }
    }

    private LeaseRenewal renew(Lease lease, LeaseTimes times, List<LockName> all) {
        List<News> news = new CopyOnWriteArrayList<>();
        parallel.each(
                all,
                name -> news.add(lanes.continuing(name, record -> renewed(lease, times, name, record), News::isGood)));
        Loss ended = news.stream()
                .map(News::ended)
                .filter(loss -> loss != null)
                .findFirst()
                .orElse(null);
        if (ended != null) {
            book.end(lease.id(), ended);
            all.forEach(name -> lanes.change(name, record -> {
                Endings.end(record, lease, Past.Event.EXPIRED);
                return true;
            }));
            return new LeaseRenewal.Ended(lease, ended);
        }
        return new LeaseRenewal.Renewed(
                lease,
                times.expiresAt(),
                news.stream()
                        .flatMap(one -> one.taken().stream())
                        .sorted(Comparator.comparing(LeaseRenewal.Taken::name))
                        .toList());
    }

    private News renewed(Lease lease, LeaseTimes times, LockName name, LockRecord record) {
        Loss ended = Endings.ending(record, lease);
        List<LeaseRenewal.Taken> taken = new ArrayList<>();
        for (long token : book.tokens(lease.id(), name)) {
            Loss why = Endings.loss(record, token);
            if (why == Loss.Cause.ALREADY_RELEASED) {
                book.gaveBack(lease.id(), name, token);
            } else if (why != null) {
                taken.add(new LeaseRenewal.Taken(name, token, why));
            }
        }
        if (ended == null) {
            Grants.renew(record, lease, times);
        }
        return new News(taken, ended);
    }

    // Ending.

    void end(Lease lease) {
        if (book.ended(lease.id()) != null) {
            return;
        }
        List<LockName> all = names(lease.id());
        if (book.knows(lease.id())) {
            book.end(lease.id(), Loss.Cause.ALREADY_RELEASED);
        }
        parallel.each(all, name -> changing(name, record -> Endings.end(record, lease, Past.Event.RELEASED)));
    }

    /**
     * Somebody took over from a lease that had run out. Its other locks are freed too, and all of that is written down:
     * a lease that has been found over once must not live again, should the server's clock be set back.
     */
    void revoke(@Nullable UUID lease) {
        if (lease == null) {
            return;
        }
        book.end(lease, Loss.Cause.EXPIRED);
        try {
            for (LockName name : labelled(lease)) {
                lanes.change(name, record -> {
                    Endings.confirmOver(record, lease);
                    return true;
                });
            }
        } catch (StoreUnavailable e) {
            // The grant stands. What could not be freed now has run out by itself, like this one.
        }
    }
}
