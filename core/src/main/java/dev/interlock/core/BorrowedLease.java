package dev.interlock.core;

/**
 * A lease of this process for whoever takes locks in transactions of its own, as a worker does. It is kept alive until
 * it is given back, also while nothing hangs on it.
 */
public final class BorrowedLease implements AutoCloseable {
    /** Makes the handle of a lock that the store granted on this lease. */
    interface Holding {
        HeldLock hold(Lock lock, KeptLease kept, long askedAt);
    }

    private final KeptLease kept;
    private final LeaseKeeper keeper;
    private final Holding holding;

    BorrowedLease(KeptLease kept, LeaseKeeper keeper, Holding holding) {
        this.kept = kept;
        this.keeper = keeper;
        this.holding = holding;
    }

    public Lease lease() {
        return kept.lease();
    }

    /** Whether it is over; then another must be borrowed. */
    public boolean hasEnded() {
        return kept.hasEnded();
    }

    /** The store has said that it is over: whatever hangs on it is lost. */
    public void ended() {
        keeper.end(kept, Loss.Cause.EXPIRED);
    }

    /** The store has a record of it now, and must be asked to renew it. */
    public void opened() {
        kept.opened();
    }

    /**
     * Holds a lock that the store has granted on this lease.
     *
     * @param askedAt by this process's ticker, before the store was asked
     */
    public HeldLock hold(Lock lock, long askedAt) {
        return holding.hold(lock, kept, askedAt);
    }

    /** Gives it back; it ends when nothing hangs on it any more. */
    @Override
    public void close() {
        keeper.giveBack(kept);
    }
}
