package dev.interlock.supervise;

import dev.interlock.supervise.Ended.Aftermath;
import dev.interlock.supervise.Ended.Exited;
import dev.interlock.supervise.Ended.NotStarted;
import dev.interlock.supervise.Ended.Signalled;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A command under supervision. */
public final class Supervised {
    private final Guard guard;
    private final @Nullable Child command;
    private final InputStream output;
    private final InputStream error;
    private @Nullable Ended ended;

    Supervised(Guard guard, Child command, Launch launch) {
        this.guard = guard;
        this.command = command;
        this.output = launch.output();
        this.error = launch.error();
    }

    Supervised(Guard guard, NotStarted ended, Launch launch) {
        this.guard = guard;
        this.command = null;
        this.ended = ended;
        this.output = launch.output();
        this.error = launch.error();
    }

    /** Whether there is a command that has begun to do anything. */
    public boolean hasStarted() {
        return command != null;
    }

    /**
     * What a captured command writes; it ends when no process of the command is left that could write. Whoever does not read
     * it keeps the command waiting.
     */
    public InputStream output() {
        return output;
    }

    /** The same of its standard error. */
    public InputStream error() {
        return error;
    }

    /**
     * To be called after each confirmed renewal: no process of the command lives at that moment or later, whatever happens
     * to this process meanwhile. Stopping begins earlier by the command's grace.
     *
     * @param deadline the lease counted from the moment before the renewal was sent, less a margin for its end
     */
    public void aliveUntil(BootTime deadline) {
        guard.aliveUntil(deadline);
    }

    /** Stops all processes of the command: SIGTERM, grace, SIGKILL. Does not wait for it. */
    public void stop() {
        guard.stop();
    }

    /**
     * Returns when no process of the command is left, so that the lock may be released, unless {@link Aftermath#alive} says
     * otherwise. Cannot be interrupted.
     *
     * @throws IllegalStateException if that could not be found out; the lock must be left to its lease then
     */
    public synchronized Ended waitFor() {
        if (ended == null && command != null) {
            command.awaitEnd();
            int status = command.reap();
            Aftermath aftermath = guard.end();
            int signal = status & 0x7f;
            ended = signal == 0 ? new Exited(status >> 8 & 0xff, aftermath) : new Signalled(signal, aftermath);
        }
        return Objects.requireNonNull(ended);
    }
}
