package dev.interlock.supervise;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One running {@code guard.sh}, and the pipes to and from it. */
final class GuardProcess {
    private static final String TEXT = text();
    private static final Duration TO_BE_READY = Duration.ofSeconds(10);
    private static final long ALL_BUT_KILL_AND_STOP = 0x7fff_ffffL & ~(1 << 8 | 1 << 16 | 1 << 18);
    private static final short POLLIN = 1;

    private final Child child;
    private final int requests;
    private final int answers;
    private volatile boolean discarded;

    private GuardProcess(int pid, int requests, int answers) {
        this.child = new Child(pid);
        this.requests = requests;
        this.answers = answers;
    }

    /** Does not wait until the guard is ready. */
    static GuardProcess start(Tag tag) {
        try (Spawn spawn = new Spawn()) {
            Pipe in = Pipe.open();
            Pipe out = Pipe.open();
            int pid = spawn.inSessionOfItsOwn()
                    .withDefaultSignals(ALL_BUT_KILL_AND_STOP)
                    .copy(in.reading(), 0)
                    .copy(out.writing(), 1)
                    .keeping(Descriptors.standard())
                    .start(words(spawn.memory(), tag), environment(spawn.memory()));
            in.closeReading();
            out.closeWriting();
            if (pid < 0) {
                in.closeWriting();
                out.closeReading();
                throw new IllegalStateException("The guard cannot be started: " + Libc.errorText(-pid));
            }
            return new GuardProcess(pid, in.writing(), out.reading());
        }
    }

    /** Returns when the guard has been told a deadline and watches for it. */
    void awaitReady() {
        if (!"ready".equals(answer(TO_BE_READY))) {
            discard();
            throw new IllegalStateException("The guard was started but does not work.");
        }
    }

    /** Returns when the guard is dead, by whatever cause. */
    void awaitEnd() {
        child.awaitEnd();
    }

    /** Returns when the guard is gone, as it goes after its last answer. What it has to say to the user it may still say. */
    synchronized void awaitExit() {
        discarded = true;
        child.signal(Os.HERE.sigContinue);
        child.reap();
        closePipes();
    }

    /** Wakes a guard that was stopped. One that is dead does not get it; whoever watches it tells its successor. */
    synchronized void send(String request) {
        byte[] line = (request + "\n").getBytes(StandardCharsets.US_ASCII);
        try (Memory memory = new Memory()) {
            if (!discarded) {
                Libc.call("write", requests, memory.text(line), line.length);
                child.signal(Os.HERE.sigContinue);
            }
        }
    }

    /** The next line, or null if the guard is dead or takes longer than this for any part of it. */
    @Nullable String answer(Duration patience) {
        StringBuilder line = new StringBuilder();
        try (Memory memory = new Memory()) {
            ByteBuffer poll = memory.block(8);
            ByteBuffer next = memory.block(1);
            poll.putInt(0, answers);
            poll.putShort(4, POLLIN);
            while (!discarded
                    && Libc.call("poll", Memory.address(poll), 1, patience.toMillis()) == 1
                    && Libc.call("read", answers, Memory.address(next), 1) == 1) {
                char letter = (char) next.get(0);
                if (letter == '\n') {
                    return line.toString();
                }
                line.append(letter);
            }
            return null;
        }
    }

    /** Kills what is left of the guard, with its timer, which is in the same group, and forgets it. */
    synchronized void discard() {
        if (!discarded) {
            discarded = true;
            child.signalGroup(Child.KILL);
            child.reap();
            closePipes();
        }
    }

    private void closePipes() {
        Libc.call("close", requests);
        Libc.call("close", answers);
    }

    private static long words(Memory memory, Tag tag) {
        String how = Os.HERE == Os.LINUX ? "tag" : "ps";
        String launcher = Integer.toString(Libc.call("getpid"));
        List<Long> words = new ArrayList<>();
        for (String word : List.of("/bin/sh", "-c", "eval \"$guard\"", "interlock-guard:" + tag, how, launcher)) {
            words.add(memory.text(word));
        }
        return memory.array(words);
    }

    /** As little as possible, for what steers the user's shell or preloads a library must not reach the guard. */
    private static long environment(Memory memory) {
        String path = "/usr/bin:/bin:" + Objects.requireNonNullElse(System.getenv("PATH"), "");
        return Environment.only(memory, Map.of("guard", TEXT, "PATH", path, "LC_ALL", "C"));
    }

    private static String text() {
        try (InputStream script = Objects.requireNonNull(GuardProcess.class.getResourceAsStream("guard.sh"))) {
            return new String(script.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
