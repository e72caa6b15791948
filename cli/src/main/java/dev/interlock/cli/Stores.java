package dev.interlock.cli;

import dev.interlock.core.LockStore;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.work.WorkStores;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The stores that this program knows, handed in by the composition root. */
public interface Stores {
    /**
     * Opens the store, and starts or sets it up before if that is ours to do.
     *
     * @param address as {@code --store} gave it; null for the one that is configured
     * @param notices told, in sentences, what was done on the way: a store started, a schema created
     * @throws UsageError if the address cannot be understood
     * @throws dev.interlock.core.StoreUnavailable if the store cannot be had
     */
    LockStore open(@Nullable String address, Consumer<String> notices);

    /**
     * Opens the same store with everything that it keeps about executions.
     *
     * @throws UsageError if it is of a kind that keeps locks only
     */
    WorkStores work(@Nullable String address, Consumer<String> notices);

    /**
     * Opens the audit trail of the store, as {@link #open} opens the store itself.
     *
     * @throws UsageError if this kind of store keeps none
     */
    AuditTrail audit(@Nullable String address, Consumer<String> notices);

    /** Which store that is, for people to read; never with a secret. */
    String describe(@Nullable String address);

    /** Looks at what only this kind of store has: versions, settings, rights. The store has been opened before. */
    void examine(@Nullable String address, Consumer<Finding> findings);

    /**
     * What a command under {@code run} must not see of this program's configuration: variables to set otherwise, or to
     * take away where the value is null.
     */
    Map<String, @Nullable String> concealed();

    /** What there is of the store; does not start it. */
    StoreState state(@Nullable String address);

    /** Stops the store, where it is ours to stop, and says in a sentence what came of it. */
    String stop(@Nullable String address);

    /** Tells the store that it may have forgotten commits, and says in a sentence what that means. */
    String recover(@Nullable String address, Consumer<String> notices);

    /** Brings server and schema to what this program needs, and says in a sentence what came of it. */
    String upgrade(@Nullable String address, Consumer<String> notices);

    /** Creates the table of a store on DynamoDB, and says in a sentence what came of it. */
    String createTable(@Nullable String address, boolean deletionProtection);
}
