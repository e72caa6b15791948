package dev.interlock.supervise;

import dev.interlock.supervise.Ended.Aftermath;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Kills the command's tree when this process no longer can: because it is dead, or stopped, or was not told in time that
 * the lease is renewed. It is a process itself, and replaced when it dies.
 */
final class Guard implements Runnable {
    private static final Duration TO_KILL = Duration.ofSeconds(20);
    private static final int TRIES = 10;
    private static final long BETWEEN_TRIES = 100_000_000;
    private static final long BETWEEN_LOOKS = 1_000_000_000;

    private final Tag tag = Tag.fresh();
    private GuardProcess process = GuardProcess.start(tag);
    private Duration grace = Duration.ZERO;
    private @Nullable BootTime deadline;
    private @Nullable Child command;
    private boolean leadsGroup;
    private boolean stopping;
    private boolean over;

    private Guard() {}

    static Guard start() {
        Guard guard = new Guard();
        daemon("interlock-guard-watch", guard);
        return guard;
    }

    Tag tag() {
        return tag;
    }

    /** Returns when the guard is on its watch, so that the command may be started. */
    synchronized void begin(Duration graceOfCommand, BootTime firstDeadline) {
        grace = graceOfCommand;
        aliveUntil(firstDeadline);
        try {
            process.awaitReady();
        } catch (IllegalStateException unready) {
            over = true;
            throw unready;
        }
    }

    synchronized void command(Child child, boolean leadsItsGroup) {
        command = child;
        leadsGroup = leadsItsGroup;
        if (Os.HERE != Os.LINUX) {
            process.send(aboutCommand(child));
            daemon("interlock-look", this::look);
        }
    }

    synchronized void aliveUntil(BootTime newDeadline) {
        deadline = newDeadline;
        if (!over) {
            process.send(until(newDeadline));
        }
    }

    synchronized void stop() {
        stopping = true;
        if (!over) {
            process.send("stop");
        }
    }

    /** To be called when the command is dead; returns when all that it left behind is dead too. */
    Aftermath end() {
        // Once over, no other thread touches the process, and none waits for this one while it waits for the guard.
        synchronized (this) {
            over = true;
        }
        String answer = askToEnd();
        for (int attempt = 1; answer == null && attempt < 3; attempt++) {
            replaceProcess();
            answer = askToEnd();
        }
        if (answer == null) {
            process.discard();
            throw new IllegalStateException("No guard could say that the processes of the command are gone.");
        }
        process.awaitExit();
        return aftermath(answer);
    }

    private @Nullable String askToEnd() {
        process.send("end");
        return process.answer(TO_KILL.plus(grace).plus(grace));
    }

    /** {@code gone LEFT_BEHIND ALIVE}, and {@code late} behind it. */
    private Aftermath aftermath(String answer) {
        String[] words = answer.split(" ", -1);
        boolean late = words.length > 3 || (deadline != null && BootTime.now().compareTo(deadline) > 0);
        return new Aftermath(Integer.parseInt(words[1]), Integer.parseInt(words[2]), late);
    }

    /** Watches over the guard itself. */
    @Override
    public void run() {
        for (GuardProcess watched = current(); watched != null; watched = current()) {
            watched.awaitEnd();
            replace();
        }
    }

    private synchronized @Nullable GuardProcess current() {
        return over ? null : process;
    }

    private synchronized void replace() {
        for (int attempt = 0; !over; attempt++) {
            try {
                replaceProcess();
                return;
            } catch (IllegalStateException impossible) {
                giveUpAfter(attempt);
            }
        }
    }

    /** Without a guard the command must not go on: nobody would stop it if this process died. */
    private void giveUpAfter(int attempt) {
        if (attempt >= TRIES && command != null) {
            command.signal(Child.KILL);
        }
        LockSupport.parkNanos(BETWEEN_TRIES);
    }

    /** The timer of the dead guard lives on until its successor is on the watch, in case this process dies before. */
    private void replaceProcess() {
        GuardProcess successor = GuardProcess.start(tag);
        if (deadline != null) {
            successor.send(until(deadline));
            successor.awaitReady();
        }
        if (command != null && Os.HERE != Os.LINUX) {
            successor.send(aboutCommand(command));
        }
        if (stopping) {
            successor.send("stop");
        }
        process.discard();
        process = successor;
    }

    private String until(BootTime moment) {
        return "until " + moment.centiseconds() + " " + grace.toMillis() / 10;
    }

    private String aboutCommand(Child child) {
        return "command " + child.pid + (leadsGroup ? " " + child.pid : "");
    }

    private void look() {
        for (GuardProcess asked = current(); asked != null; asked = current()) {
            asked.send("look");
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    private static void daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }
}
