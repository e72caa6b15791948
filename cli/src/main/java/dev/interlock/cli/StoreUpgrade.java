package dev.interlock.cli;

final class StoreUpgrade implements Command {
    @Override
    public void shape(Shape shape) {
        shape.quiet();
    }

    @Override
    public int run(Given given, Session session) {
        return session.say(Exit.OK, session.stores().upgrade(session.address(), session.talk()::say));
    }
}
