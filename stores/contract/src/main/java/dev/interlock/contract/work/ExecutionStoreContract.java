package dev.interlock.contract.work;

import dev.interlock.core.LockStore;
import dev.interlock.core.janitor.JanitorStore;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.DeadLetters;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.WorkerStore;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Timeout;

/**
 * The rules that every store of executions must pass. A store's test extends this class and says how to open the store,
 * what stands in it and how to age it; it adds no rule and leaves none out.
 *
 * <p>A store may pass time either by moving its clock or by moving the instants in its records: no rule compares an
 * instant from before with one from after.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
public abstract class ExecutionStoreContract
        implements SubmitContract,
                IdempotencyContract,
                ClaimContract,
                RunningContract,
                LineContract,
                FinishContract,
                SuccessionContract,
                RetryContract,
                CancelContract,
                AdmissionContract,
                ResourceContract,
                ViewContract,
                DeadLettersContract,
                JanitorContract,
                LogContract {

    /** Opens a store without any executions, resources and locks, in which this is declared. Once for each rule. */
    protected abstract void open(Catalogue declared);

    /** Closes what was opened. */
    protected abstract void close();

    @Override
    public abstract ExecutionStore here();

    /** The store of this rule once more, as another process sees it. */
    @Override
    public abstract ExecutionStore there();

    /** The locks of this store: a target of executions and the lock of that name are one. */
    @Override
    public abstract LockStore locks();

    @Override
    public abstract DeadLetters deadLetters();

    @Override
    public abstract JanitorStore janitor();

    @Override
    public abstract WorkerStore workers();

    @Override
    public abstract LogStore logs();

    /** Lets that much time pass for everything in the store, at once. */
    @Override
    public abstract void age(Duration elapsed);

    @Override
    public abstract void register(
            String target, String lifecycle, Map<String, String> fields, @Nullable Duration timeToLive);

    @Override
    public abstract Resource resource(String target);

    @BeforeEach
    final void begin() {
        open(Declared.ALL);
    }

    @AfterEach
    final void end() {
        close();
    }
}
