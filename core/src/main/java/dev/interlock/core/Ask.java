package dev.interlock.core;

/** One request for one lock. Asking again with the same holder is harmless: it is answered with the same grant. */
public record Ask(LockName name, Holder holder, Lease lease, Terms terms) {
    public Ask(LockName name, Holder holder, Lease lease) {
        this(name, holder, lease, Terms.PLAIN);
    }
}
