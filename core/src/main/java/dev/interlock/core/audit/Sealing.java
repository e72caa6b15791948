package dev.interlock.core.audit;

/** What came of an order to seal. */
public sealed interface Sealing {
    /** There may be more to seal. */
    record Done(Seal seal) implements Sealing {}

    /** Every event whose transaction can be known to have ended is under a seal. */
    record NothingToDo() implements Sealing {}

    /** Somebody else is at it, or a transaction is in the way. */
    record GaveWay() implements Sealing {}
}
