package dev.interlock.cli;

final class WorkersDrain implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("ID", "The worker; workers list shows their ids.").quiet();
    }

    @Override
    public int run(Given given, Session session) {
        String id = given.positional();
        boolean asked = session.work().workers().drain(id, session.identity().user());
        return asked
                ? session.say(Exit.OK, "Worker " + id + " takes nothing new, and leaves when it is done.")
                : session.say(Exit.REFUSED, "There is no worker '" + id + "'. See: interlock workers list");
    }
}
