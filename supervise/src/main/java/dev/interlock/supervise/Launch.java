package dev.interlock.supervise;

import java.io.File;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The start of a command: what it gets from this process, and what it does not. */
final class Launch {
    private static final int ENOENT = 2;
    private static final int ENOEXEC = 8;

    private final Command command;
    private final Tag tag;
    private final BitSet descriptors;
    private final long signalsToReset;
    private final boolean ownGroup;
    private final @Nullable Pipe output;
    private final @Nullable Pipe error;

    Launch(Command command, Tag tag, BitSet descriptors, long signalsToReset, boolean ownGroup) {
        this.command = command;
        this.tag = tag;
        this.descriptors = descriptors;
        this.signalsToReset = signalsToReset;
        this.ownGroup = ownGroup;
        this.output = command.captured ? Pipe.open() : null;
        this.error = command.captured ? Pipe.open() : null;
    }

    /** The pid of the command, or an errno below zero. */
    int start() {
        int started = spawn(command.words);
        int pid = started == -ENOEXEC ? spawn(asScript()) : started;
        if (output != null && error != null) {
            output.closeWriting();
            error.closeWriting();
        }
        return pid;
    }

    /** What the command writes; nothing when it was not captured. To be asked once. */
    InputStream output() {
        return output == null ? InputStream.nullInputStream() : output.stream();
    }

    InputStream error() {
        return error == null ? InputStream.nullInputStream() : error.stream();
    }

    Ended.NotStarted failure(int errno) {
        String why = errno == ENOENT && command.name().indexOf('/') < 0 ? "command not found" : Libc.errorText(errno);
        return new Ended.NotStarted(errno == ENOENT ? 127 : 126, command.name() + ": " + why);
    }

    private int spawn(List<byte[]> words) {
        try (Spawn spawn = new Spawn()) {
            if (ownGroup) {
                spawn.inGroupOfItsOwn();
            }
            spawn.withDefaultSignals(signalsToReset);
            redirect(spawn);
            return spawn.start(array(spawn.memory(), words), environment(spawn.memory()), tag);
        }
    }

    private void redirect(Spawn spawn) {
        BitSet kept = (BitSet) descriptors.clone();
        if (command.input != null) {
            spawn.open(0, command.input.toString(), Spawn.O_RDONLY);
            kept.set(0);
        }
        if (command.output != null) {
            spawn.open(1, command.output.toString(), Os.HERE.append).copy(1, 2);
            kept.set(1, 3);
        }
        if (output != null && error != null) {
            spawn.copy(output.writing(), 1).copy(error.writing(), 2);
            kept.set(1, 3);
        }
        spawn.keeping(kept);
    }

    private long environment(Memory memory) {
        Map<String, @Nullable String> changes = new HashMap<>(command.environment);
        changes.put(Tag.VARIABLE, tag.toString());
        changes.put(ExactSignals.VARIABLE, null);
        return Environment.changed(memory, changes);
    }

    private static long array(Memory memory, List<byte[]> words) {
        List<Long> pointers = new ArrayList<>();
        for (byte[] word : words) {
            pointers.add(memory.text(word));
        }
        return memory.array(pointers);
    }

    /** A file of commands that does not name its interpreter belongs to the shell, which does not look for it in PATH. */
    private List<byte[]> asScript() {
        List<byte[]> words = new ArrayList<>(command.words);
        words.addFirst("/bin/sh".getBytes(StandardCharsets.US_ASCII));
        if (command.name().indexOf('/') < 0) {
            for (String directory :
                    Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator, -1)) {
                File script = new File(directory, command.name());
                if (script.canExecute()) {
                    words.set(1, script.getPath().getBytes(StandardCharsets.UTF_8));
                    break;
                }
            }
        }
        return words;
    }
}
