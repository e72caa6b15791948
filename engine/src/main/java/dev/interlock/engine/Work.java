package dev.interlock.engine;

import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.LogStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One attempt, as its handler sees it. */
public interface Work {
    /** Everything that is known of it: execution, lock, workflow, resource. */
    Claimed claimed();

    default String execution() {
        return claimed().execution().id();
    }

    default int attempt() {
        return claimed().attempt().number();
    }

    /** The fencing token: pass it to everything that can refuse an older one. */
    default long token() {
        return claimed().token();
    }

    default LockName target() {
        return claimed().lock().name();
    }

    default Map<String, String> parameters() {
        return claimed().execution().request().parameters();
    }

    /** When it will be stopped, by the store's clock; null when it may take any time. */
    @Nullable Instant deadline();

    /** Whether it is to stop, for whatever reason. */
    boolean isCancelled();

    /** Calls the listener once when it is to stop, beside the interrupt; at once if it is to already. */
    void onCancel(Runnable listener);

    /** Calls the listener once when the lock is lost, which stops the work too; at once if it is already. */
    void onLost(Consumer<Loss> listener);

    /** Calls the listener after each confirmed renewal of the lock; it must be short. */
    void onRenewed(Runnable listener);

    /** How long until the store may end the grant. Whatever works under it must be gone by then. */
    Duration untilEnd();

    /**
     * Refuses to go on unless the lock can be trusted for at least that long: before a step that must not happen twice.
     *
     * @throws dev.interlock.core.LockLost if it cannot
     */
    void requireAtLeast(Duration duration);

    /** Evidence that a step has begun. What fails before the first counts as not started. */
    void began();

    /** What it is at, for people. */
    void progress(String text);

    /** Adds to the log of the attempt; never waits, and rather leaves something out. */
    void log(LogStore.Stream stream, byte[] bytes);

    /** The command of the workflow has ended: with 0 it is done, otherwise the workflow says whether that may pass. */
    void exited(int code) throws WorkFailed;
}
