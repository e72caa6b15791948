package dev.interlock.kubernetes;

import dev.interlock.core.Ask;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Lock;
import dev.interlock.core.Release;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Gives locks and places back, and takes locks away. */
final class Releasing {
    private final Lanes lanes;
    private final LeaseBook book;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Set<Long> told = ConcurrentHashMap.newKeySet();

    Releasing(Lanes lanes, LeaseBook book) {
        this.lanes = lanes;
        this.book = book;
    }

    Release release(Lock lock) {
        Release answer = lanes.continuing(
                lock.name(), record -> Endings.release(record, lock), Release.Released.class::isInstance);
        book.gaveBack(lock.grant().lease(), lock.name(), lock.token());
        return answer;
    }

    void withdraw(Ask ask) {
        lanes.change(ask.name(), record -> {
            Tenure tenure = record.tenure();
            Endings.withdraw(record, ask);
            if (tenure != null && tenure.isOf(ask.holder())) {
                book.gaveBack(tenure.lease(), ask.name(), tenure.token());
            }
            return true;
        });
    }

    Forcing force(Force order) {
        Forcing answer = lanes.change(order.name(), record -> Endings.force(record, order));
        tellTaken(lanes.look(order.name()));
        return answer;
    }

    void onTaken(Runnable listener) {
        listeners.add(listener);
    }

    /** A holder in this process is told once, and asks for the rest. */
    void tellTaken(LockRecord record) {
        Tenure tenure = record.tenure();
        if (tenure != null && tenure.forced() != null && book.isOurs(tenure.lease()) && told.add(tenure.token())) {
            listeners.forEach(Runnable::run);
        }
    }
}
