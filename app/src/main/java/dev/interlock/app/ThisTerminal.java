package dev.interlock.app;

import dev.interlock.cli.Terminal;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The standard streams of this process. The launcher, to whom it costs nothing, says in {@code interlock.terminal} which
 * of them are a terminal ({@code out}, {@code err}, joined by commas), and in {@code interlock.columns} how wide it is.
 * Output is UTF-8 whatever the locale says: names are, and programs that read JSON expect it.
 */
final class ThisTerminal {
    private ThisTerminal() {}

    static Terminal of(Map<String, String> environment) {
        boolean out = isTerminal("out", 1);
        boolean err = isTerminal("err", 2);
        boolean colours = environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        return new Terminal(
                stream(FileDescriptor.out), stream(FileDescriptor.err), out, err, columns(environment), colours);
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(
                new BufferedOutputStream(new UntilEnough(new FileOutputStream(descriptor)), 8192),
                false,
                StandardCharsets.UTF_8);
    }

    private static boolean isTerminal(String stream, int descriptor) {
        String told = System.getProperty("interlock.terminal");
        if (told != null) {
            return told.contains(stream);
        }
        try {
            String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }

    private static int columns(Map<String, String> environment) {
        String told = System.getProperty("interlock.columns", environment.getOrDefault("COLUMNS", ""));
        try {
            return Math.max(0, Integer.parseInt(told));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
