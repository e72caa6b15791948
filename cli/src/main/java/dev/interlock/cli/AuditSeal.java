package dev.interlock.cli;

import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.Sealing;
import org.jspecify.annotations.Nullable;

final class AuditSeal implements Command {
    private static final int EVENTS_AT_ONCE = 5000;

    @Override
    public void shape(Shape shape) {
        shape.quiet();
    }

    @Override
    public int run(Given given, Session session) {
        long events = 0;
        @Nullable Seal last = null;
        try (AuditTrail trail = session.audit()) {
            while (true) {
                switch (trail.seal(EVENTS_AT_ONCE)) {
                    case Sealing.Done(Seal seal) -> {
                        events += seal.count();
                        last = seal;
                    }
                    case Sealing.NothingToDo none -> {
                        return session.say(Exit.OK, sealed(events, last));
                    }
                    case Sealing.GaveWay busy -> {
                        return session.say(
                                Exit.REFUSED, sealed(events, last) + " Somebody else is sealing, or in the way.");
                    }
                }
            }
        }
    }

    private static String sealed(long events, @Nullable Seal last) {
        return last == null
                ? "There is nothing to seal."
                : "Sealed " + events + (events == 1 ? " event." : " events.") + " The hash of seal " + last.number()
                        + " is " + last.hash() + ".";
    }
}
