package dev.interlock.supervise;

import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Runs commands so that nothing of their process trees survives its lease. */
public final class Supervisor {
    private static final int SIG_DFL = 0;

    private final BitSet descriptors;
    private final Signals signals;
    private final long signalsToReset;
    private final boolean ownGroup;
    private @Nullable Guard prepared;

    private Supervisor(BitSet descriptors, Signals signals, boolean ownGroup) {
        this.descriptors = descriptors;
        this.signals = signals;
        this.signalsToReset = signals.listen();
        this.ownGroup = ownGroup;
        Libc.call("signal", Os.HERE.sigChild, SIG_DFL); // inherited as ignored, no child could be waited for
    }

    /** Those this process was started with, which are the command's. To be asked first in main, before any thread is started. */
    public static BitSet descriptors() {
        return Descriptors.inherited();
    }

    /**
     * For a process that is there to run one command, and is to look like it: the command gets its descriptors, and the
     * signals sent to it.
     *
     * @param inherited the {@link #descriptors} of this process
     * @param beforeStart gets the number of each signal that comes before the command is started; the start waits until it
     *     returns. It should take back what was asked for and end with {@link Exit#by}
     * @throws UnsupportedOperationException on a system where no command can be supervised; the message is for the user
     */
    public static Supervisor launcher(BitSet inherited, IntConsumer beforeStart) {
        boolean terminal = Terminal.controls();
        Signals signals = ExactSignals.arePossible()
                ? new ExactSignals(beforeStart, terminal)
                : new PortableSignals(beforeStart, terminal);
        // In the terminal's group the keys reach the command once, from the kernel; without a terminal a signal to the
        // whole group must reach it once, from here.
        Supervisor supervisor = new Supervisor(inherited, signals, !terminal);
        supervisor.prepared = Guard.start(); // it gets ready while the lock is acquired
        return supervisor;
    }

    /**
     * For a process that runs many commands and does other things: they get no descriptor but the standard ones, and no
     * signals.
     */
    public static Supervisor embedded() {
        return new Supervisor(Descriptors.standard(), new NoSignals(), true);
    }

    /**
     * Starts the command. That it cannot be started is an answer of {@link Supervised#waitFor} too.
     *
     * @param deadline as for {@link Supervised#aliveUntil}
     * @throws IllegalStateException if there is no guard to be had; the command was not started
     */
    public Supervised start(Command command, BootTime deadline) {
        command.createOutput();
        Guard guard = guard();
        guard.begin(command.grace, deadline);
        Launch launch = new Launch(command, guard.tag(), descriptors, signalsToReset, ownGroup);
        synchronized (signals) {
            int pid = launch.start();
            if (pid < 0) {
                signals.startedWith(null);
                guard.end();
                return new Supervised(guard, launch.failure(-pid), launch);
            }
            Child child = new Child(pid);
            signals.startedWith(child);
            guard.command(child, ownGroup);
            return new Supervised(guard, child, launch);
        }
    }

    /** In one sentence, what is in force here. */
    public String mechanism() {
        return found() + "; a guard in a session of its own kills them when the launcher dies or the lease runs out; "
                + signals.mechanism() + ".";
    }

    private static String found() {
        if (Os.HERE != Os.LINUX) {
            return "The processes of the command are known by their group and by a look at their parents each second,"
                    + " so that one which leaves both in between is lost";
        }
        return Spawn.canTag()
                ? "Every process of the command bears a tag (its limit of file locks, and " + Tag.VARIABLE + ")"
                : "Every process of the command bears a tag (only " + Tag.VARIABLE
                        + ", since the limit of file locks does not show here)";
    }

    private synchronized Guard guard() {
        Guard guard = prepared == null ? Guard.start() : prepared;
        prepared = null;
        return guard;
    }
}
