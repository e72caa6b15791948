package dev.interlock.cli;

final class Version implements Command {
    @Override
    public void shape(Shape shape) {}

    @Override
    public int run(Given given, Session session) {
        session.terminal().out().println(sentence());
        return Exit.OK;
    }

    static String number() {
        return Resource.text("version.txt").strip();
    }

    static String sentence() {
        return "interlock " + number() + " (Java " + System.getProperty("java.version") + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ")";
    }
}
