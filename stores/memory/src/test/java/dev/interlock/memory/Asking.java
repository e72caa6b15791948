package dev.interlock.memory;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.LockStore;
import dev.interlock.core.SetAcquisition;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** A store that understands every request as a different one. */
final class Asking extends Forwarding {
    private final UnaryOperator<Ask> understanding;

    Asking(LockStore store, UnaryOperator<Ask> understanding) {
        super(store);
        this.understanding = understanding;
    }

    @Override
    public Acquisition acquire(Ask ask) {
        return super.acquire(understanding.apply(ask));
    }

    @Override
    public SetAcquisition acquireAll(List<Ask> asks) {
        return super.acquireAll(asks.stream().map(understanding).toList());
    }

    @Override
    public Entry enter(Ask ask, Duration wait, int queueLimit) {
        return super.enter(understanding.apply(ask), wait, queueLimit);
    }

    @Override
    public void withdraw(Ask ask) {
        super.withdraw(understanding.apply(ask));
    }
}
