package dev.interlock.memory;

import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.JanitorStore;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.janitor.Sight;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Keeps a {@link Ledger} in order. Some of what a database has to be watched for cannot be here: nobody is parked, a
 * waiter falls with its lease by itself, and grants cannot overlap. That is never found, and acting on it is moot.
 */
public final class MemoryJanitor implements JanitorStore {
    static final String ACTOR = "janitor";

    private final MemoryExecutionStore executions;
    private final MemoryWorkers workers;
    private final Ledger ledger;

    public MemoryJanitor(MemoryExecutionStore executions, MemoryWorkers workers) {
        this.executions = executions;
        this.workers = workers;
        this.ledger = executions.ledger();
    }

    @Override
    public Sight look(Patience patience, int most) {
        return ledger.memory().step(now -> new Looking(ledger, workers, patience, now).look(most));
    }

    @Override
    public List<Finding> inspect(Patience patience, Duration back, int most) {
        return ledger.memory().step(now -> new Inspecting(ledger, patience, now).inspect(most));
    }

    @Override
    public Deed act(Finding finding, Patience patience) {
        return ledger.memory()
                .step(now -> isStill(finding, patience, now)
                        ? new Deed.Done(finding, new Tidying(executions, workers, now).act(finding, patience))
                        : new Deed.Moot(finding));
    }

    /** Whether it would be found again now, just as it is. */
    private boolean isStill(Finding finding, Patience patience, Instant now) {
        return new Looking(ledger, workers, patience, now)
                        .look(Integer.MAX_VALUE)
                        .findings()
                        .contains(finding)
                || new Inspecting(ledger, patience, now)
                        .inspect(Integer.MAX_VALUE)
                        .contains(finding);
    }
}
