package dev.interlock.engine;

import dev.interlock.core.BorrowedLease;
import dev.interlock.core.Locks;
import dev.interlock.core.Settings;
import dev.interlock.core.StoreUnavailable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows this worker in the list of workers, for as long as its lease is alive. */
final class Presence {
    private final Workplace place;
    private final Locks locks;
    private final WorkerSettings settings;
    private final Set<String> offered;
    private @Nullable BorrowedLease lease;
    private boolean presented;

    Presence(Workplace place, Locks locks, WorkerSettings settings, Set<String> offered) {
        this.place = place;
        this.locks = locks;
        this.settings = settings;
        this.offered = offered;
    }

    /** Makes sure that it is seen; tells whether somebody wants it to leave. */
    boolean tick() {
        BorrowedLease current = lease();
        if (!presented) {
            place.workers().present(current.lease(), settings.slots(), offered, settings.version());
            current.opened();
            presented = true;
        }
        return place.workers().isDrained(place.identity().owner());
    }

    private BorrowedLease lease() {
        BorrowedLease current = lease;
        if (current == null || current.hasEnded()) {
            giveBack();
            current = locks.borrow(Settings.DEFAULT.lease());
            lease = current;
            presented = false;
        }
        return current;
    }

    void leave() {
        try {
            place.workers().leave(place.identity().owner());
        } catch (StoreUnavailable e) {
            // It falls with its lease.
        }
        giveBack();
    }

    private void giveBack() {
        if (lease != null) {
            lease.close();
            lease = null;
        }
    }
}
