package dev.interlock.core;

/** A request came on a lease that has ended; nothing was granted. The asker needs a new lease. */
public final class LeaseEnded extends RuntimeException {
    private final Lease lease;

    public LeaseEnded(Lease lease) {
        super("The lease of " + lease.owner() + " has ended.");
        this.lease = lease;
    }

    public Lease lease() {
        return lease;
    }
}
