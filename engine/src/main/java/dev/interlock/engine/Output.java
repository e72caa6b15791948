package dev.interlock.engine;

import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.LogStore.Printed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one attempt prints and says of itself, on its way to the store. The attempt never waits for it. */
final class Output {
    /** More than that is not kept back for a store that is slow or away. */
    static final int MAX_PENDING = 256 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Output.class);

    private final Claimed claimed;
    private final LogStore logs;
    private final ExecutionStore executions;
    private final Pump pump;

    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock guard = new ReentrantLock();
    private final List<Printed> pending = new ArrayList<>();
    private @Nullable String progress;
    private int pendingBytes;
    private long notKept;

    /** What the store has taken; what comes after it is sent until it is answered. */
    private long sentBytes;

    Output(Claimed claimed, LogStore logs, ExecutionStore executions, Pump pump) {
        this.claimed = claimed;
        this.logs = logs;
        this.executions = executions;
        this.pump = pump;
    }

    void print(LogStore.Stream stream, byte[] bytes) {
        guard.lock();
        try {
            if (pendingBytes + bytes.length > MAX_PENDING) {
                notKept += bytes.length;
            } else if (bytes.length > 0) {
                pending.add(new Printed(stream, ByteBuffer.wrap(bytes.clone())));
                pendingBytes += bytes.length;
            }
        } finally {
            guard.unlock();
        }
        pump.add(this);
    }

    void progress(String text) {
        guard.lock();
        try {
            progress = text;
        } finally {
            guard.unlock();
        }
        pump.add(this);
    }

    /** The last chance: what the store does not take now is lost, because it keeps only what running attempts say. */
    void close() {
        if (!isEmpty() && !send()) {
            LOG.atWarn()
                    .addKeyValue("execution", claimed.execution().id())
                    .addKeyValue("attempt", claimed.attempt().number())
                    .addKeyValue("token", claimed.token())
                    .log("The end of its log could not be kept.");
        }
    }

    private boolean isEmpty() {
        guard.lock();
        try {
            return pending.isEmpty() && progress == null && notKept == 0;
        } finally {
            guard.unlock();
        }
    }

    /** Sends what has gathered; false when the store did not take it. One at a time, or pieces would change places. */
    boolean send() {
        sending.lock();
        try {
            boolean reported = report();
            return append() && reported;
        } finally {
            sending.unlock();
        }
    }

    private boolean report() {
        String text;
        guard.lock();
        try {
            text = progress;
            progress = null;
        } finally {
            guard.unlock();
        }
        if (text == null) {
            return true;
        }
        try {
            executions.report(claimed.execution().id(), claimed.token(), text);
            return true;
        } catch (RuntimeException e) {
            // The next thing it says will do.
            return false;
        }
    }

    private boolean append() {
        List<Printed> taken = taken();
        if (taken.isEmpty()) {
            return true;
        }
        try {
            logs.append(claimed.execution().id(), claimed.attempt().number(), claimed.token(), sentBytes, taken);
        } catch (RuntimeException e) {
            return false;
        }
        kept(taken);
        return true;
    }

    private List<Printed> taken() {
        guard.lock();
        try {
            if (notKept > 0) {
                noteMissing();
            }
            return List.copyOf(pending);
        } finally {
            guard.unlock();
        }
    }

    /**
     * What is missing came after everything that is pending: nothing more was taken once there was no room. The note
     * stays as it is from now on, so that what is sent again is the same.
     */
    private void noteMissing() {
        byte[] note = ("… " + notKept + " bytes not kept\n").getBytes(StandardCharsets.UTF_8);
        pending.add(new Printed(LogStore.Stream.ERR, ByteBuffer.wrap(note)));
        pendingBytes += note.length;
        notKept = 0;
    }

    private void kept(List<Printed> taken) {
        guard.lock();
        try {
            pending.subList(0, taken.size()).clear();
            for (Printed printed : taken) {
                pendingBytes -= printed.bytes().remaining();
                sentBytes += printed.bytes().remaining();
            }
        } finally {
            guard.unlock();
        }
    }
}
