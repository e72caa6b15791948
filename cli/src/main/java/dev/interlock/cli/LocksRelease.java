package dev.interlock.cli;

import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Lost;
import dev.interlock.core.Release;
import java.time.Instant;
import java.util.Optional;

final class LocksRelease implements Command {
    @Override
    public void shape(Shape shape) {
        shape.name()
                .option(
                        "--token",
                        "TOKEN",
                        "Which grant: the one that was given this token. With --force: the one that you saw; a newer"
                                + " holder is never hit. Default with --force: the one that is there now.")
                .flag("End somebody else's grant. Needs --reason, and is recorded.", "--force")
                .option("--reason", "TEXT", "Why it is ended by force; the holder and the history are told.")
                .flag(
                        "With --force: do not wait until the holder has stopped. What it still does is then only kept"
                                + " out by its token.",
                        "--now")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        String reason = given.prose("--reason");
        if (given.has("--force")) {
            if (reason == null) {
                throw new UsageError("--force needs --reason: whoever is stopped is told why.");
            }
            return force(given, session, reason);
        }
        if (given.gives("--reason") || given.has("--now")) {
            throw new UsageError("--reason and --now belong to --force.");
        }
        return release(given, session);
    }

    private static int release(Given given, Session session) {
        if (!given.gives("--token")) {
            throw new UsageError("Say which grant: --token T for your own, or --force --reason R for somebody else's.");
        }
        LockName name = given.name();
        return switch (Claim.of(name, given.token(), session.store())) {
            case Claim.Unfounded(String sentence) -> session.say(Exit.LOST, sentence);
            case Claim.Latest(Lock claimed) ->
                switch (session.store().release(claimed)) {
                    case Release.Released() -> session.say(Exit.OK, "Released lock '" + name + "'.");
                    case Lost lost -> session.say(Exit.LOST, Claim.lost(name, lost));
                };
        };
    }

    private static int force(Given given, Session session, String reason) {
        LockName name = given.name();
        Optional<Lock> found = session.store().find(name);
        if (found.isEmpty()) {
            return session.say(Exit.OK, "Nobody holds lock '" + name + "'; nothing was changed.");
        }
        long seen = given.gives("--token") ? given.token() : found.get().token();
        Force order = new Force(name, seen, session.identity().user(), reason, given.has("--now"));
        return switch (session.store().force(order)) {
            case Forcing.Releasing(Lock previous, Instant until) ->
                session.say(
                        Exit.OK,
                        "Told " + holder(previous) + " to stop. Lock '" + name
                                + "' moves on when it has, at the latest at " + Views.time(until) + ".");
            case Forcing.Released(Lock previous) ->
                session.say(Exit.OK, "Ended the grant of " + holder(previous) + " on lock '" + name + "'.");
            case Forcing.Free() -> session.say(Exit.OK, "Nobody holds lock '" + name + "'; nothing was changed.");
            case Forcing.Moved(Lock current) ->
                session.say(
                        Exit.REFUSED,
                        "Nothing was changed: lock '" + name + "' has moved on to " + holder(current) + ".");
        };
    }

    private static String holder(Lock lock) {
        return "execution " + lock.holder().execution() + " (" + Views.who(lock.holder()) + ", token " + lock.token()
                + ")";
    }
}
