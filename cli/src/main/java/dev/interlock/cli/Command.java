package dev.interlock.cli;

/** One command: what it understands, and what it does. */
interface Command {
    void shape(Shape shape);

    /** Answers with the exit code. */
    int run(Given given, Session session) throws InterruptedException;
}
