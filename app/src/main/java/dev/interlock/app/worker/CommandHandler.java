package dev.interlock.app.worker;

import dev.interlock.core.Ports;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.work.LogStore.Stream;
import dev.interlock.engine.Handler;
import dev.interlock.engine.Permanent;
import dev.interlock.engine.Transient;
import dev.interlock.engine.Work;
import dev.interlock.engine.WorkFailed;
import dev.interlock.supervise.BootTime;
import dev.interlock.supervise.Command;
import dev.interlock.supervise.Ended;
import dev.interlock.supervise.Supervised;
import dev.interlock.supervise.Supervisor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the command of a workflow. Nothing of its process tree is left when this returns, and nothing of it survives the
 * lease, whatever becomes of this process.
 */
final class CommandHandler implements Handler {
    private static final Duration MARGIN = Duration.ofMillis(500);
    private static final Duration SHORTEST_GRACE = Duration.ofMillis(100);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);
    private static final int PIECE = 8192;

    private final Supervisor supervisor;
    private final List<String> words;
    private final Duration grace;
    private final Map<String, @Nullable String> concealed;
    private final Ports ports;

    /** @param concealed what the command must not see of this process's environment */
    CommandHandler(
            Supervisor supervisor,
            List<String> words,
            Duration grace,
            Map<String, @Nullable String> concealed,
            Ports ports) {
        this.supervisor = supervisor;
        this.words = words;
        this.grace = grace;
        this.concealed = concealed;
        this.ports = ports;
    }

    @Override
    public void run(Work work) throws WorkFailed {
        Ended ended = apart("interlock-command", () -> supervise(work)).join();
        holdWhileAlive(work, ended.aftermath().alive());
        tell(work, ended);
    }

    private Ended supervise(Work work) {
        Supervised running = supervisor.start(command(work), deadline(work));
        if (running.hasStarted()) {
            work.began();
        }
        work.onRenewed(() -> running.aliveUntil(deadline(work)));
        work.onCancel(running::stop);
        running.aliveUntil(deadline(work)); // the lease may have been renewed before anybody listened
        CompletableFuture<Boolean> output = apart("interlock-output", () -> pump(work, Stream.OUT, running.output()));
        CompletableFuture<Boolean> error = apart("interlock-error", () -> pump(work, Stream.ERR, running.error()));
        Ended ended = running.waitFor();
        output.join();
        error.join();
        return ended;
    }

    /**
     * Waiting for a process is a call into the system that would keep a virtual thread's carrier, of which there are as
     * many as processors: a few commands would leave none for renewing leases.
     */
    private static <T> CompletableFuture<T> apart(String name, Supplier<T> body) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                done.complete(body.get());
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static void tell(Work work, Ended ended) throws WorkFailed {
        if (ended.aftermath().late()) {
            throw new Transient(
                    "LEASE_UNCONFIRMED", "The command was stopped because its lease was not confirmed in time.");
        }
        switch (ended) {
            case Ended.NotStarted(int status, String sentence) ->
                throw new Permanent(
                        status == 127 ? Failure.COMMAND_NOT_FOUND : Failure.COMMAND_NOT_EXECUTABLE, sentence + ".");
            case Ended.Exited exited -> work.exited(exited.code());
            case Ended.Signalled died -> work.exited(died.status());
        }
    }

    private Command command(Work work) {
        Command command = Command.of(words)
                .captured()
                .input(Path.of("/dev/null"))
                .grace(grace(work))
                .with("INTERLOCK_TARGET", work.target().value())
                .with("INTERLOCK_EXECUTION", work.execution())
                .with("INTERLOCK_ATTEMPT", Integer.toString(work.attempt()))
                .with("INTERLOCK_TOKEN", Long.toString(work.token()));
        Instant deadline = work.deadline();
        if (deadline != null) {
            command = command.with("INTERLOCK_DEADLINE", Long.toString(deadline.getEpochSecond()));
        }
        for (Map.Entry<String, String> parameter : work.parameters().entrySet()) {
            command = command.with(parameter.getKey(), parameter.getValue());
        }
        for (Map.Entry<String, @Nullable String> hidden : concealed.entrySet()) {
            String instead = hidden.getValue();
            command = instead == null ? command.without(hidden.getKey()) : command.with(hidden.getKey(), instead);
        }
        return command;
    }

    /**
     * What is left of a lease after a holder has given up hope must be enough to stop the command: one that had more time
     * to end would have to be told sooner than its lease is in doubt.
     */
    private Duration grace(Work work) {
        Duration third = work.claimed().workflow().policy().lease().dividedBy(3).minus(MARGIN);
        Duration usable = third.compareTo(SHORTEST_GRACE) < 0 ? SHORTEST_GRACE : third;
        return grace.compareTo(usable) < 0 ? grace : usable;
    }

    /** Counted from before the last confirmed renewal was sent; the boot clock is read first, so it is never too late. */
    private static BootTime deadline(Work work) {
        BootTime now = BootTime.now();
        return now.plus(work.untilEnd()).minus(MARGIN);
    }

    /** Whether all of it could be read. */
    private static boolean pump(Work work, Stream stream, InputStream printed) {
        try (printed) {
            byte[] piece = new byte[PIECE];
            int length = printed.read(piece);
            while (length >= 0) {
                work.log(stream, Arrays.copyOf(piece, length));
                length = printed.read(piece);
            }
            return true;
        } catch (IOException e) {
            String trouble = "interlock: the output could not be read: " + e.getMessage() + "\n";
            work.log(Stream.ERR, trouble.getBytes(StandardCharsets.UTF_8));
            return false;
        }
    }

    /** While a process of the command lives that nobody can kill, the target must not be given to anybody else. */
    private void holdWhileAlive(Work work, int alive) {
        while (alive > 0) {
            work.progress(alive + " processes of the command cannot be stopped: they are another user's, or hang in the"
                    + " kernel. The lock is kept.");
            try {
                ports.pause(BETWEEN_LOOKS);
            } catch (InterruptedException e) {
                // Told to stop, which it has: only what it cannot kill keeps it here, until its lease ends.
            }
        }
    }
}
