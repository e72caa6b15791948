package dev.interlock.cli;

import dev.interlock.core.Attempt;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Identity;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Locks;
import dev.interlock.core.Lost;
import dev.interlock.core.Options;
import dev.interlock.core.Refusal;
import dev.interlock.core.Renewal;
import dev.interlock.core.Settings;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes a lock that no process attends to: it outlives this one, until its lease ends or somebody releases it. */
final class Unattended {
    private final Session session;
    private final LockName name;
    private final Identity identity;

    Unattended(Session session, LockName name, @Nullable String owner) {
        this.session = session;
        this.name = name;
        this.identity = owner == null
                ? session.identity()
                : new Identity(owner, session.identity().user());
    }

    int take(Options options, Function<Lock, String> sentence) throws InterruptedException {
        Locks locks = new Locks(session.store(), identity, Settings.DEFAULT, session.ports());
        session.leaving().watch(locks);
        try {
            WaitingLine line = new WaitingLine(session);
            return switch (ask(locks, options, line)) {
                case Attempt.Acquired(HeldLock held) -> taken(line.hasWaited() ? renewed(held) : held.lock(), sentence);
                case Attempt.NotAcquired(Refusal refusal) -> {
                    // Only now: closing gives back what is held.
                    locks.close();
                    yield session.say(Refusals.code(refusal), refusal.sentence());
                }
            };
        } finally {
            session.leaving().done();
        }
    }

    private Attempt ask(Locks locks, Options options, WaitingLine line) throws InterruptedException {
        try (line) {
            return locks.tryAcquire(name.value(), options.tellingQueued(line));
        }
    }

    private int taken(@Nullable Lock lock, Function<Lock, String> sentence) {
        if (lock == null) {
            return Exit.LOST;
        }
        session.answer(new LockAnswer(lock, lock.token() + "\n"));
        return session.say(Exit.OK, sentence.apply(lock));
    }

    /** The lease began with the wait; from here on its whole length is promised. */
    private @Nullable Lock renewed(HeldLock held) {
        return switch (session.store().renew(held.lock())) {
            case Renewal.Renewed(Lock lock) -> lock;
            case Lost lost -> {
                session.talk().complain(Claim.lost(name, lost));
                yield null;
            }
        };
    }
}
