package dev.interlock.supervise;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is to be run. It gets this process's environment and standard streams but for what is said otherwise here. */
public final class Command {
    private static final Duration USUAL_GRACE = Duration.ofSeconds(10);

    final List<byte[]> words;
    final Map<String, @Nullable String> environment;
    final Duration grace;
    final @Nullable Path input;
    final @Nullable Path output;
    final boolean captured;

    private Command(
            List<byte[]> words,
            Map<String, @Nullable String> environment,
            Duration grace,
            @Nullable Path input,
            @Nullable Path output,
            boolean captured) {
        this.words = words;
        this.environment = environment;
        this.grace = grace;
        this.input = input;
        this.output = output;
        this.captured = captured;
    }

    public static Command of(List<String> words) {
        List<byte[]> encoded = new ArrayList<>();
        for (String word : words) {
            encoded.add(word.getBytes(StandardCharsets.UTF_8));
        }
        return ofBytes(encoded);
    }

    /**
     * The arguments of main from this one on, with the bytes the user typed: the JVM decodes arguments by the locale, and
     * loses what the locale cannot say.
     */
    public static Command ofArguments(String[] arguments, int from) {
        List<String> words = List.of(arguments).subList(from, arguments.length);
        List<byte[]> typed =
                Os.HERE == Os.LINUX ? lastWords(Proc.bytes("/proc/self/cmdline"), words.size()) : List.of();
        return areSame(typed, words) ? ofBytes(typed) : of(words);
    }

    /** In the command's environment, besides what is in this process's own. */
    public Command with(String variable, String value) {
        return changed(variable, value);
    }

    /** Not in the command's environment. */
    public Command without(String variable) {
        return changed(variable, null);
    }

    /** How long the command may take to end when it is told to, before it is killed. */
    public Command grace(Duration newGrace) {
        return new Command(words, environment, newGrace, input, output, captured);
    }

    /** Reads from this file. */
    public Command input(Path file) {
        return new Command(words, environment, grace, file, output, captured);
    }

    /** Appends to this file both standard output and standard error. */
    public Command output(Path file) {
        return new Command(words, environment, grace, input, file, captured);
    }

    /** Writes into pipes, which must be read: {@link Supervised#output} and {@link Supervised#error}. */
    public Command captured() {
        return new Command(words, environment, grace, input, output, true);
    }

    String name() {
        return new String(words.getFirst(), StandardCharsets.UTF_8);
    }

    /** Before all else, because an error of posix_spawn would look like one of the command. */
    void createOutput() {
        if (output != null) {
            try {
                Files.newOutputStream(output, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                        .close();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }

    private static Command ofBytes(List<byte[]> words) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException("There is no command to run.");
        }
        return new Command(words, Map.of(), USUAL_GRACE, null, null, false);
    }

    private Command changed(String variable, @Nullable String value) {
        Map<String, @Nullable String> changes = new HashMap<>(environment);
        changes.put(variable, value);
        return new Command(words, changes, grace, input, output, captured);
    }

    private static List<byte[]> lastWords(byte[] commandLine, int count) {
        List<byte[]> words = new ArrayList<>();
        int end = commandLine.length - 1;
        for (int i = end - 1; i >= -1 && words.size() < count; i--) {
            if (i == -1 || commandLine[i] == 0) {
                words.addFirst(Arrays.copyOfRange(commandLine, i + 1, end));
                end = i;
            }
        }
        return words;
    }

    /** Not so when main was called by other code with other arguments. Only ASCII can be compared. */
    private static boolean areSame(List<byte[]> typed, List<String> words) {
        if (typed.size() != words.size()) {
            return false;
        }
        for (int i = 0; i < words.size(); i++) {
            String word = new String(typed.get(i), StandardCharsets.US_ASCII);
            if (word.indexOf('\uFFFD') < 0 && !word.equals(words.get(i))) {
                return false;
            }
        }
        return true;
    }
}
