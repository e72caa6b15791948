package dev.interlock.cli;

final class Help implements Command {
    @Override
    public void shape(Shape shape) {
        shape.words("COMMAND", "The words of a command. Default: an overview of all.");
    }

    @Override
    public int run(Given given, Session session) {
        String path = String.join(" ", given.words());
        if (!path.isEmpty() && !Commands.isGroup(path) && Commands.find(path) == null) {
            throw new UsageError("There is no command '" + path + "'.");
        }
        session.terminal().out().print(HelpPage.of(path));
        return Exit.OK;
    }
}
