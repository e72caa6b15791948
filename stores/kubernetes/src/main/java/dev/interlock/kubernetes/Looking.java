package dev.interlock.kubernetes;

import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows what is there, and clears away what nobody has used for long. */
final class Looking {
    private final Api api;
    private final Lanes lanes;
    private final Ports.Ticker ticker;

    Looking(Api api, Lanes lanes, Ports.Ticker ticker) {
        this.api = api;
        this.lanes = lanes;
        this.ticker = ticker;
    }

    LockRecord at(LockName name) {
        return lanes.look(name);
    }

    /** One that cannot be read hides none of the others: it is told of with the first page, whatever its state may be. */
    Page<Lock> list(LockFilter filter, Page.Request page) {
        List<Lock> locks = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (Found found : all()) {
            switch (found) {
                case Found.Read(Lease lease, LockRecord record) -> record.lock().ifPresent(locks::add);
                case Found.Damaged(LockName name, String fault) -> {
                    if (page.after() == null && (name == null || filter.acceptsName(name.value()))) {
                        faults.add(fault);
                    }
                }
            }
        }
        return filter.page(locks.stream().sorted(Comparator.comparing(Lock::name)), page)
                .with(faults);
    }

    /** A Lease of ours, as a lock or as what is wrong with it. */
    private sealed interface Found {
        record Read(Lease lease, LockRecord record) implements Found {}

        record Damaged(@Nullable LockName name, String fault) implements Found {}
    }

    private List<Found> all() {
        long sentAt = ticker.nanos();
        return api.list(LeaseObject.MANAGED_BY + "=" + LeaseObject.INTERLOCK).stream()
                .filter(LeaseObject::isLock)
                .map(lease -> read(lease, sentAt))
                .toList();
    }

    private Found read(Lease lease, long sentAt) {
        String object = lease.getMetadata().getName();
        LockName name = LeaseObject.name(lease).orElse(null);
        if (name == null || !lanes.objectOf(name).equals(object)) {
            return new Found.Damaged(name, Failures.misnamed(object));
        }
        try {
            return new Found.Read(lease, lanes.record(name, lease, sentAt));
        } catch (StoreUnavailable e) {
            return new Found.Damaged(name, String.valueOf(e.getMessage()));
        }
    }

    /** A page begins below the number of the last entry before it. */
    Page<Past> history(LockName name, Page.Request page) {
        long below = page.after() == null ? Long.MAX_VALUE : Long.parseLong(page.after());
        List<Gone> rest = at(name).newestFirst().stream()
                .filter(gone -> gone.number() < below)
                .limit(page.size() + 1L)
                .toList();
        boolean more = rest.size() > page.size();
        List<Gone> shown = more ? rest.subList(0, page.size()) : rest;
        return new Page<>(
                shown.stream().map(Gone::past).toList(),
                more ? Long.toString(shown.getLast().number()) : null);
    }

    /**
     * A record that comes back starts above the versions of this one, since the server's count goes on. What cannot be
     * read stays.
     */
    int prune(Duration unusedFor) {
        int pruned = 0;
        for (Found found : all()) {
            if (found instanceof Found.Read(Lease lease, LockRecord record)) {
                Instant since = record.now().earliest().minus(unusedFor);
                if (record.isIdleSince(since) && api.delete(lease) && record.tenure() != null) {
                    pruned++;
                }
            }
        }
        return pruned;
    }
}
