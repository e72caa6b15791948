package dev.interlock.cli;

import dev.interlock.core.Locks;
import dev.interlock.core.Settings;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.work.WorkStores;
import dev.interlock.engine.Duties;
import dev.interlock.engine.Janitor;
import dev.interlock.engine.Sealer;
import dev.interlock.engine.Sweep;

final class JanitorCommand implements Command {
    @Override
    public void shape(Shape shape) {
        shape.flag("Show what would be done now, and do nothing.", "--dry-run")
                .flag("One round, then leave.", "--once")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) throws InterruptedException {
        if (given.has("--dry-run") && given.has("--once")) {
            throw new UsageError("--dry-run looks once, and only looks: leave out --once.");
        }
        WorkStores work = session.work();
        Locks locks = new Locks(work.locks(), session.identity(), Settings.DEFAULT, session.ports());
        AuditTrail audit = session.audit();
        Duties duties = Duties.DEFAULT.withSealer(Sealer.of(audit)).withObserver(deed -> tell(deed, session));
        try (locks;
                audit;
                Janitor janitor = new Janitor(work.janitor(), locks, duties, session.ports())) {
            if (given.has("--dry-run")) {
                return look(janitor, session);
            }
            return given.has("--once") ? once(janitor, session) : goOn(janitor, locks, session);
        }
    }

    private static int look(Janitor janitor, Session session) {
        Sweep seen = janitor.dryRun();
        for (Finding finding : seen.heldBack()) {
            session.terminal().out().println(finding.sentence());
        }
        session.talk()
                .say(
                        seen.heldBack().isEmpty()
                                ? "There is nothing to do."
                                : seen.brake().sentence());
        return Exit.OK;
    }

    private static int once(Janitor janitor, Session session) {
        Sweep done = janitor.tick();
        if (!done.heldBack().isEmpty()) {
            session.talk().say(done.brake().sentence());
        } else if (done.deeds().isEmpty()) {
            session.talk().say("There was nothing to do.");
        }
        boolean failed = done.deeds().stream().anyMatch(Deed.Failed.class::isInstance);
        return failed ? Exit.FAILED : Exit.OK;
    }

    /** Until this process is told to end; whoever waits behind it follows at once. */
    private static int goOn(Janitor janitor, Locks locks, Session session) throws InterruptedException {
        session.leaving().watch(() -> {
            janitor.close();
            locks.close();
        });
        session.talk().say("Putting right what died, until this is stopped.");
        try {
            janitor.run();
        } finally {
            session.leaving().done();
        }
        return Exit.OK;
    }

    private static void tell(Deed deed, Session session) {
        switch (deed) {
            case Deed.Done done -> session.terminal().out().println(done.sentence());
            case Deed.Failed failed -> session.talk().complain(failed.sentence());
            case Deed.Moot moot -> {}
        }
    }
}
