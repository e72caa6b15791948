package dev.interlock.core;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A request that is given up in the background, unless its holder asks for the same again meanwhile: then what it was
 * granted is wanted after all, and giving it up would take a lock from under work that trusts it.
 */
final class Withdrawal {
    private final Ask ask;
    private final ReentrantLock turn = new ReentrantLock();
    private boolean calledOff;

    Withdrawal(Ask ask) {
        this.ask = ask;
    }

    boolean concerns(Ask other) {
        return ask.name().equals(other.name()) && ask.holder().equals(other.holder());
    }

    void from(LockStore store) {
        turn.lock();
        try {
            if (!calledOff) {
                store.withdraw(ask);
            }
        } finally {
            turn.unlock();
        }
    }

    /** Returns when no request of this withdrawal is on its way any more. */
    void callOff() {
        turn.lock();
        try {
            calledOff = true;
        } finally {
            turn.unlock();
        }
    }
}
