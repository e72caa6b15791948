package dev.interlock.engine;

/**
 * Does the work of one workflow. It is called again for the same execution when an attempt failed for a passing reason,
 * and may be called for work that a runner before it had done in part or whole: it looks first, and goes on from there.
 */
@FunctionalInterface
public interface Handler {
    /**
     * Returns when the work is done. An interrupt means: stop now, the lock will not be held for long.
     *
     * @throws Transient if another attempt may help
     * @throws Permanent if none will; any other exception counts as one
     */
    void run(Work work) throws Exception;
}
