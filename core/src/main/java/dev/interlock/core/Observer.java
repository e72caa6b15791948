package dev.interlock.core;

/**
 * Is told what becomes of the requests and grants of one process; for counting, not for deciding. It is called by the
 * threads that ask, hold and renew, so it must be short; what it throws is dropped, since it must not cost anybody a
 * lock.
 */
@FunctionalInterface
public interface Observer {
    void saw(LockEvent event);
}
