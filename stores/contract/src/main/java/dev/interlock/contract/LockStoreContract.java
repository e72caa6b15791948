package dev.interlock.contract;

import dev.interlock.core.LockStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Timeout;

/**
 * The rules that every store of locks must pass. A store's test extends this class and says how to open the store and
 * how to age it; it adds no rule and leaves none out.
 *
 * <pre>{@code
 * class MemoryLockStoreTest extends LockStoreContract {
 *     private final HandClock clock = new HandClock();
 *     private final Memory memory = new Memory(clock);
 *
 *     protected LockStore store() {
 *         return new MemoryLockStore(memory);
 *     }
 *
 *     protected LockStore another() {
 *         return new MemoryLockStore(memory);
 *     }
 *
 *     public void age(Duration elapsed) {
 *         clock.move(elapsed);
 *         memory.settle();
 *     }
 * }
 * }</pre>
 *
 * <p>A store may pass time either by moving its clock or by moving the instants in its records: no rule compares an
 * instant from before with one from after.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
public abstract class LockStoreContract
        implements AcquireContract,
                RenewContract,
                LeaseContract,
                ReleaseContract,
                ForceContract,
                QueueContract,
                WaiterContract,
                SetContract,
                TokenContract,
                NameContract,
                ListContract,
                HistoryContract,
                PruneContract,
                ClosingContract,
                MaintenanceContract,
                ClockContract {
    private LockStore here;
    private LockStore there;

    /** Opens a store without any records. Called once for each rule, which closes what was opened, at least once. */
    protected abstract LockStore store();

    /** Opens the store of this rule once more, as another process would. */
    protected abstract LockStore another();

    /**
     * Lets that much time pass for everything in the store, at once. The time is negative when somebody sets the
     * store's clock back.
     */
    @Override
    public abstract void age(Duration elapsed);

    /** Whether the store itself queues, first come first served; if not, rules about order are not tried. */
    @Override
    public boolean fair() {
        return true;
    }

    @BeforeEach
    final void open() {
        here = store();
        there = another();
    }

    @AfterEach
    final void close() {
        there.close();
        here.close();
    }

    @Override
    public final LockStore here() {
        return here;
    }

    @Override
    public final LockStore there() {
        return there;
    }
}
