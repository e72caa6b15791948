package dev.interlock.cli;

final class StoreStop implements Command {
    @Override
    public void shape(Shape shape) {
        shape.quiet();
    }

    @Override
    public int run(Given given, Session session) {
        return session.say(Exit.OK, session.stores().stop(session.address()));
    }
}
