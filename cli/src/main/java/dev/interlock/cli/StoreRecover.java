package dev.interlock.cli;

final class StoreRecover implements Command {
    @Override
    public void shape(Shape shape) {
        shape.quiet();
    }

    @Override
    public int run(Given given, Session session) {
        return session.say(Exit.OK, session.stores().recover(session.address(), session.talk()::say));
    }
}
