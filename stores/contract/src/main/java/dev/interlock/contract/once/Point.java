package dev.interlock.contract.once;

/** Where in its call of {@code once} a caller stops, until it is told to go on. */
public enum Point {
    NOWHERE,
    /** It has seen nothing, and has not asked for the lock. */
    LOOKED,
    /** It has seen nothing under the lock. */
    LOOKED_AGAIN,
    /** Its creation has begun, and nobody can see it yet. */
    CREATING,
    /** What it created is there, but it does not know it yet. */
    CREATED
}
