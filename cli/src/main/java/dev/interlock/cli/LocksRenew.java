package dev.interlock.cli;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Lost;
import dev.interlock.core.Renewal;

final class LocksRenew implements Command {
    @Override
    public void shape(Shape shape) {
        shape.name()
                .required("--token", "TOKEN", "The token that the grant was given; locks acquire printed it.")
                .output()
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        LockName name = given.name();
        return switch (Claim.of(name, given.token(), session.store())) {
            case Claim.Unfounded(String sentence) -> session.say(Exit.LOST, sentence);
            case Claim.Latest(Lock claimed) ->
                switch (session.store().renew(claimed)) {
                    case Renewal.Renewed(Lock lock) -> renewed(lock, session);
                    case Lost lost -> session.say(Exit.LOST, Claim.lost(name, lost));
                };
        };
    }

    private static int renewed(Lock lock, Session session) {
        session.answer(new LockAnswer(lock, ""));
        String until = Views.time(lock.grant().expiresAt());
        return session.say(Exit.OK, "Renewed lock '" + lock.name() + "', lease until " + until + ".");
    }
}
