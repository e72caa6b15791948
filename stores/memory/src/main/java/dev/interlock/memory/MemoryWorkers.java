package dev.interlock.memory;

import dev.interlock.core.Lease;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.WorkerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Workers of a {@link Ledger}. */
public final class MemoryWorkers implements WorkerStore {
    private final Ledger ledger;
    private final NavigableMap<String, Present> present = new TreeMap<>();
    private final Set<String> drained = new HashSet<>();

    private record Present(LeaseRecord lease, int slots, Set<String> workflows, String version, Instant since) {}

    /** Shared by all that share the ledger. */
    public MemoryWorkers(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void present(Lease lease, int slots, Set<String> workflows, String version) {
        ledger.memory().step(now -> {
            LeaseRecord record = ledger.memory().open(lease, now);
            Present before = present.get(lease.owner());
            Instant since = before == null ? now : before.since();
            present.put(lease.owner(), new Present(record, slots, Set.copyOf(workflows), version, since));
            return now;
        });
    }

    @Override
    public boolean isDrained(String worker) {
        return ledger.memory().step(now -> drained.contains(worker));
    }

    @Override
    public void leave(String worker) {
        ledger.memory().step(now -> {
            forget(worker);
            return now;
        });
    }

    @Override
    public List<Worker> workers() {
        return ledger.memory()
                .step(now -> present.entrySet().stream()
                        .filter(entry ->
                                ledger.memory().isAlive(entry.getValue().lease(), now))
                        .map(entry -> worker(entry.getKey(), entry.getValue()))
                        .toList());
    }

    private Worker worker(String id, Present at) {
        return new Worker(id, at.slots(), at.workflows(), at.version(), at.since(), drained.contains(id), running(id));
    }

    private int running(String owner) {
        int running = 0;
        for (ExecutionRecord record : ledger.records()) {
            Claimed claimed = record.claimed();
            if (claimed != null && claimed.attempt().owner().equals(owner)) {
                running++;
            }
        }
        return running;
    }

    /** Those whose lease has been over for that long. */
    List<String> gone(Duration grace, Instant now) {
        return present.entrySet().stream()
                .filter(entry ->
                        !entry.getValue().lease().expiresAt().plus(grace).isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }

    void forget(String worker) {
        drained.remove(worker);
        present.remove(worker);
    }

    @Override
    public boolean drain(String worker, String by) {
        return ledger.memory().step(now -> {
            boolean known = present.containsKey(worker);
            if (known) {
                drained.add(worker);
                ledger.tellWorkers();
            }
            return known;
        });
    }
}
