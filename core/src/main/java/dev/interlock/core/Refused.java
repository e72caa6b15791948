package dev.interlock.core;

/** Thrown by {@link Locks#acquire} for callers who want a held lock or nothing; {@link Locks#tryAcquire} answers. */
public final class Refused extends RuntimeException {
    private final Refusal refusal;

    public Refused(Refusal refusal) {
        super(refusal.sentence());
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}
