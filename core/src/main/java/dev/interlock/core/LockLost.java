package dev.interlock.core;

/** The lock is not held any more, or not for long enough; what depends on it must not go on. */
public final class LockLost extends RuntimeException {
    private final Loss why;

    public LockLost(LockName name, Loss why) {
        super("Lock '" + name + "' is not yours any more: " + why.sentence() + ".");
        this.why = why;
    }

    public Loss why() {
        return why;
    }
}
