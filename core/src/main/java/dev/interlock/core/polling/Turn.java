package dev.interlock.core.polling;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Handover;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step at one lock, alone among those of this process: who waits here, and what the step came to. The waiters are
 * told when the step is over.
 */
public final class Turn {
    private final Desk desk;
    private final List<Waiting> served = new ArrayList<>();
    private boolean changed;
    private boolean standingBack;
    private @Nullable Duration again;

    Turn(Desk desk) {
        this.desk = desk;
    }

    public LockName name() {
        return desk.name();
    }

    /** Those who still wait here, first come first served. */
    public List<Waiting> queue() {
        return desk.queue();
    }

    /** The lock is this waiter's. */
    public void granted(Waiting waiting, Lock lock) {
        served.add(waiting);
        desk.handedOver();
        waiting.came(new Acquisition.Granted(lock));
        desk.remove(waiting);
        changed = true;
    }

    public void dropped(Waiting waiting, Handover.Reason reason) {
        served.add(waiting);
        waiting.came(new Handover.Dropped(reason));
        desk.remove(waiting);
    }

    /** Something moved since the last look: looking again soon is worth more than if nothing had. */
    public void changed() {
        changed = true;
    }

    /** When the present grant can end, or the lock opens: no need to wait longer than that before the next look. */
    public void lookAgainIn(Duration delay) {
        again = again == null || delay.compareTo(again) < 0 ? delay : again;
    }

    /**
     * Whether this process may hand the lock on within itself. It always may while nobody waits elsewhere; otherwise
     * only so many times in a row, so that a busy process starves no other.
     */
    public boolean mayHandOver(boolean othersWait) {
        if (!othersWait) {
            desk.startCounting();
        }
        return desk.inARow() < WaitingRoom.MOST_IN_A_ROW;
    }

    /** The lock was freed for the others: nobody here asks for it until they have had time to find it. */
    public void standBack() {
        standingBack = true;
        desk.startCounting();
    }

    boolean hasChanged() {
        return changed;
    }

    boolean isStandingBack() {
        return standingBack;
    }

    @Nullable Duration again() {
        return again;
    }

    void tell() {
        served.forEach(Waiting::tell);
    }
}
