package dev.interlock.kubernetes;

import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.kubernetes.ServerClock.Reading;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The leases of this process. On Kubernetes a lease has no record of its own: each lock and each waiter carries its
 * times, as other tools expect, and here is written which of them belong together. A lease that this process does not
 * know is found again by its label.
 */
final class LeaseBook {
    private static final int MOST_ENDED = 10_000;

    private final Map<UUID, Page> pages = new HashMap<>();
    private final Map<UUID, Loss> ended = new LinkedHashMap<>();

    /** A lease that has not ended. It is open once something hangs on it. */
    private static final class Page {
        final Lease lease;
        final Map<LockName, Integer> underWay = new HashMap<>();
        final Map<LockName, Set<Long>> tokens = new HashMap<>();
        final Map<LockName, Set<Long>> tickets = new HashMap<>();

        @Nullable LeaseTimes times;

        Page(Lease lease) {
            this.lease = lease;
        }

        boolean concerns(LockName name) {
            return underWay.containsKey(name) || tokens.containsKey(name) || tickets.containsKey(name);
        }

        boolean isBlank() {
            return times == null && underWay.isEmpty();
        }

        boolean isOver(Reading now) {
            return times != null && now.isOver(times.expiresAt(), lease.duration());
        }
    }

    /**
     * Something is being asked for on this lease. From now on a renewal includes that lock, for it may find the lock
     * granted with the times from before the renewal.
     */
    synchronized void begin(Lease lease, LockName name) {
        pages.computeIfAbsent(lease.id(), id -> new Page(lease)).underWay.merge(name, 1, Integer::sum);
    }

    synchronized void finish(Lease lease, LockName name) {
        Page page = pages.get(lease.id());
        if (page != null) {
            page.underWay.computeIfPresent(name, (key, count) -> count == 1 ? null : count - 1);
            if (page.isBlank()) {
                pages.remove(lease.id());
            }
        }
    }

    /** The times that a grant or place on this lease gets now. */
    synchronized LeaseTimes times(Lease lease, Reading now) {
        if (isOver(lease.id(), now)) {
            end(lease.id(), Loss.Cause.EXPIRED);
            throw new LeaseEnded(lease);
        }
        Page page = pages.get(lease.id());
        return page == null || page.times == null ? LeaseTimes.from(now.latest(), lease.duration()) : page.times;
    }

    synchronized void holds(Lease lease, LockName name, long token, LeaseTimes times) {
        page(lease, times).tokens.computeIfAbsent(name, key -> new HashSet<>()).add(token);
    }

    synchronized void waits(Lease lease, LockName name, long ticket, LeaseTimes times) {
        page(lease, times).tickets.computeIfAbsent(name, key -> new HashSet<>()).add(ticket);
    }

    private Page page(Lease lease, LeaseTimes times) {
        Page page = pages.computeIfAbsent(lease.id(), id -> new Page(lease));
        if (page.times == null) {
            page.times = times;
        }
        return page;
    }

    synchronized void gaveBack(UUID lease, LockName name, long token) {
        remove(pages.get(lease), name, token, true);
    }

    synchronized void left(UUID lease, LockName name, long ticket) {
        remove(pages.get(lease), name, ticket, false);
    }

    private static void remove(@Nullable Page page, LockName name, long number, boolean token) {
        if (page != null) {
            (token ? page.tokens : page.tickets).computeIfPresent(name, (key, numbers) -> {
                numbers.remove(number);
                return numbers.isEmpty() ? null : numbers;
            });
        }
    }

    /** What hangs on a lease that is to be renewed, and with which times; or why it cannot be any more. */
    sealed interface Renewing {
        record Unknown() implements Renewing {}

        record Over(Loss why) implements Renewing {}

        record Now(LeaseTimes times, List<LockName> names) implements Renewing {}
    }

    /**
     * The new times hold from here, before the first lock is written: what is granted meanwhile gets them too, and what
     * was granted before is among the names.
     */
    synchronized Renewing renewing(Lease lease, Reading now) {
        if (isOver(lease.id(), now)) {
            end(lease.id(), Loss.Cause.EXPIRED);
        }
        Loss over = ended.get(lease.id());
        if (over != null) {
            return new Renewing.Over(over);
        }
        Page page = pages.get(lease.id());
        if (page == null || page.times == null) {
            return new Renewing.Unknown();
        }
        LeaseTimes before = page.times;
        LeaseTimes fresh = LeaseTimes.from(now.latest(), lease.duration());
        Instant end = before != null && before.expiresAt().isAfter(fresh.expiresAt())
                ? before.expiresAt()
                : fresh.expiresAt();
        LeaseTimes times = new LeaseTimes(fresh.renewedAt(), end);
        page.times = times;
        return new Renewing.Now(times, names(page));
    }

    /** One lock of the lease was renewed by itself. */
    synchronized void renewed(UUID lease, LeaseTimes times) {
        Page page = pages.get(lease);
        if (page != null && page.times != null) {
            page.times = times;
        }
    }

    private static List<LockName> names(Page page) {
        Set<LockName> names = new HashSet<>(page.tokens.keySet());
        names.addAll(page.tickets.keySet());
        names.addAll(page.underWay.keySet());
        return names.stream().sorted().toList();
    }

    synchronized List<LockName> names(UUID lease) {
        Page page = pages.get(lease);
        return page == null ? List.of() : names(page);
    }

    synchronized boolean knows(UUID lease) {
        Page page = pages.get(lease);
        return ended.containsKey(lease) || (page != null && page.times != null);
    }

    /** How it ended; null while it lasts, and when nobody here has heard of it. */
    synchronized @Nullable Loss ended(UUID lease) {
        return ended.get(lease);
    }

    synchronized boolean isOver(UUID lease, Reading now) {
        Page page = pages.get(lease);
        return ended.containsKey(lease) || (page != null && page.isOver(now));
    }

    /** The grants that this process believes to have there. */
    synchronized Set<Long> tokens(UUID lease, LockName name) {
        Page page = pages.get(lease);
        return page == null ? Set.of() : Set.copyOf(page.tokens.getOrDefault(name, Set.of()));
    }

    /** Ends the lease for this process, for good; the first cause stays. */
    synchronized void end(UUID lease, Loss why) {
        pages.remove(lease);
        ended.putIfAbsent(lease, why);
        if (ended.size() > MOST_ENDED) {
            ended.remove(ended.keySet().iterator().next());
        }
    }

    synchronized boolean concerns(LockName name) {
        return pages.values().stream().anyMatch(page -> page.concerns(name));
    }

    /** Whether it is a lease of this process. */
    synchronized boolean isOurs(UUID lease) {
        return pages.containsKey(lease);
    }
}
