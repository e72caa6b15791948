package dev.interlock.cli;

import dev.interlock.cli.text.Printable;
import dev.interlock.core.DurationText;
import dev.interlock.core.Entry;
import dev.interlock.core.Lock;
import dev.interlock.core.Ports;
import dev.interlock.core.Standing;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells whoever waits where they stand: on a terminal in a line that changes, elsewhere in one plain line. */
final class WaitingLine implements Consumer<Entry.Queued>, AutoCloseable {
    private static final Duration REFRESH = Duration.ofSeconds(1);
    private static final String CLEAR = "\r\033[K";

    private final Session session;
    private final boolean changes;
    private Ports.@Nullable Timer timer;
    private boolean waited;
    private boolean shown;

    WaitingLine(Session session) {
        this.session = session;
        this.changes = session.terminal().errIsTerminal();
    }

    boolean hasWaited() {
        return waited;
    }

    @Override
    public synchronized void accept(Entry.Queued queued) {
        waited = true;
        Standing first = new Standing(queued.position(), queued.current(), null);
        if (changes && !session.talk().isQuiet()) {
            show(first);
            refreshLater(queued);
        } else {
            session.talk().say(text(first));
        }
    }

    private synchronized void refreshLater(Entry.Queued queued) {
        if (timer != null) {
            timer.cancel();
        }
        timer = session.ports()
                .timers()
                .after(REFRESH, () -> session.ports().tasks().start("interlock-waiting-line", () -> refresh(queued)));
    }

    private void refresh(Entry.Queued queued) {
        Standing standing = null;
        try {
            standing = queued.place().standing().orElse(null);
        } catch (StoreUnavailable e) {
            // The wait itself goes on and will tell; the line keeps what it last showed.
        }
        if (queued.place().handover().isDone()) {
            return;
        }
        synchronized (this) {
            if (timer == null) {
                return;
            }
            if (standing != null) {
                show(standing);
            }
            refreshLater(queued);
        }
    }

    private void show(Standing standing) {
        String line = Printable.of(text(standing));
        int columns = session.terminal().columns();
        session.terminal().err().print(CLEAR + (columns > 0 ? Printable.cut(line, columns - 1) : line));
        session.terminal().err().flush();
        shown = true;
    }

    /** What matters most comes first: on a narrow terminal the rest is cut. */
    private static String text(Standing standing) {
        Lock lock = standing.current();
        StringBuilder text = new StringBuilder("Waiting for lock '")
                .append(lock.name())
                .append("': position ")
                .append(standing.position());
        Duration estimate = standing.estimate();
        if (estimate != null) {
            text.append(", about ").append(DurationText.show(estimate)).append(" to go");
        }
        Instant closedUntil = lock.closedUntil();
        if (lock.isHeld()) {
            text.append("; held for ")
                    .append(Views.span(lock.grant().acquiredAt(), lock.seenAt()))
                    .append(" by ")
                    .append(Views.who(lock.holder()))
                    .append(" (execution ")
                    .append(lock.holder().execution())
                    .append(')');
        } else if (closedUntil != null) {
            text.append("; closed for another ").append(Views.span(lock.seenAt(), closedUntil));
        }
        return text.append('.').toString();
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        if (shown) {
            session.terminal().err().print(CLEAR);
            session.terminal().err().flush();
            shown = false;
        }
    }
}
