package dev.interlock.cli;

final class DynamodbCreateTable implements Command {
    private static final String UNPROTECTED = "--no-deletion-protection";

    @Override
    public void shape(Shape shape) {
        shape.flag("Let the table be deleted without switching a protection off before.", UNPROTECTED)
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        return session.say(Exit.OK, session.stores().createTable(session.address(), !given.has(UNPROTECTED)));
    }
}
