package dev.interlock.cli;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Lost;
import dev.interlock.core.Renewal;
import java.util.Optional;

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
        Optional<Lock> claim = Claim.of(name, Claim.token(given), session.store());
        if (claim.isEmpty()) {
            return session.say(Exit.LOST, Claim.unknown(name));
        }
        return switch (session.store().renew(claim.get())) {
            case Renewal.Renewed(Lock lock) -> {
                session.answer(new LockAnswer(lock, ""));
                yield session.say(
                        Exit.OK,
                        "Renewed lock '" + name + "', lease until "
                                + Views.time(lock.grant().expiresAt()) + ".");
            }
            case Lost lost -> session.say(Exit.LOST, Claim.lost(name, lost));
        };
    }
}
