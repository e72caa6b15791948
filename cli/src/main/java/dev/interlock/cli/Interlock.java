package dev.interlock.cli;

import dev.interlock.core.StoreUnavailable;
import java.io.PrintStream;

/** The {@code interlock} command: finds the command that was called, runs it, and turns every failure into one sentence. */
public final class Interlock {
    private final Surroundings here;
    private final Talk talk;

    public Interlock(Surroundings here) {
        this.here = here;
        this.talk = new Talk(here.terminal().err(), false);
    }

    /** Never throws. */
    public Outcome execute(String... words) {
        Invocation called = Invocation.of(words);
        boolean debug = called.asksFor(Shape.DEBUG);
        Outcome outcome;
        try {
            outcome = run(called);
        } catch (UsageError e) {
            trace(e, debug);
            outcome = complain(Exit.USAGE, e.getMessage() + " See: interlock " + pathOf(called) + "--help");
        } catch (StoreUnavailable e) {
            trace(e, debug);
            outcome = complain(Exit.of(e.kind()), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outcome = Outcome.exit(Exit.INTERRUPTED);
        } catch (RuntimeException | Error e) {
            trace(e, debug);
            outcome = complain(Exit.INTERNAL, fault(e, debug));
        }
        return flushed(outcome);
    }

    private Outcome run(Invocation called) throws InterruptedException {
        Command command = Commands.find(called.path());
        if (command == null) {
            return withoutCommand(called);
        }
        if (called.asksFor("-h", Shape.HELP)) {
            out().print(HelpPage.of(called.path()));
            return Outcome.exit(Exit.OK);
        }
        Shape shape = new Shape("interlock " + called.path());
        command.shape(shape);
        Given given = Given.parse(shape.common().spec(), called.arguments(), called.command());
        try (Session session = new Session(here, given)) {
            return session.outcome(command.run(given, session));
        }
    }

    private Outcome withoutCommand(Invocation called) {
        String path = called.path();
        if (path.isEmpty() && called.asksFor("-V", "--version")) {
            out().println(Version.sentence());
            return Outcome.exit(Exit.OK);
        }
        boolean group = Commands.isGroup(path);
        if ((path.isEmpty() && onlyHelp(called)) || (group && called.asksFor("-h", Shape.HELP))) {
            out().print(HelpPage.of(path));
            return Outcome.exit(Exit.OK);
        }
        if (path.isEmpty()) {
            throw new UsageError("No command was named, only options.");
        }
        if (group) {
            here.terminal().err().print(HelpPage.of(path));
            return Outcome.exit(Exit.USAGE);
        }
        String meant = Commands.nearest(path);
        return complain(
                Exit.USAGE,
                "There is no command '" + path + "'." + (meant == null ? "" : " Did you mean '" + meant + "'?")
                        + " See: interlock help");
    }

    private static boolean onlyHelp(Invocation called) {
        return called.arguments().isEmpty() || called.asksFor("-h", Shape.HELP);
    }

    private static String pathOf(Invocation called) {
        return Commands.find(called.path()) == null ? "" : called.path() + " ";
    }

    private static String fault(Throwable e, boolean debug) {
        return "This is a fault of Interlock itself: " + e + "."
                + (debug ? "" : " Run it again with --debug to see where, and report that.");
    }

    private void trace(Throwable e, boolean debug) {
        if (debug) {
            e.printStackTrace(here.terminal().err());
        }
    }

    /** An answer that could not be written was not given. */
    private Outcome flushed(Outcome outcome) {
        return out().checkError() && outcome.code() == Exit.OK
                ? complain(Exit.OUTPUT, "The answer could not be written to the standard output.")
                : outcome;
    }

    private Outcome complain(int code, String sentence) {
        talk.complain(sentence);
        return Outcome.exit(code);
    }

    private PrintStream out() {
        return here.terminal().out();
    }
}
