package dev.interlock.cli;

import dev.interlock.core.LockName;

final class LocksCancelWait implements Command {
    @Override
    public void shape(Shape shape) {
        shape.name()
                .required("--ticket", "TICKET", "Which waiter; locks status shows the tickets.")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        LockName name = given.name();
        long ticket = given.number("--ticket", 0, 0, Long.MAX_VALUE);
        boolean dropped =
                session.store().dropWaiter(name, ticket, session.identity().user());
        return dropped
                ? session.say(Exit.OK, "Waiter " + ticket + " does not wait for lock '" + name + "' any more.")
                : session.say(
                        Exit.REFUSED,
                        "No waiter with ticket " + ticket + " stands in the queue of lock '" + name
                                + "'; it may hold the lock by now. See: interlock locks status "
                                + Shell.quoted(name.value()));
    }
}
