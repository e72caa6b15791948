package dev.interlock.bench.workload;

import dev.interlock.bench.contender.Contender;
import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.workload.Window.Span;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The parent's end of a JVM of waiters: what it tells {@link Waiters} and what it hears back. */
final class WaiterProcess implements AutoCloseable {
    private final Process process;
    private final BufferedWriter to;
    private final BufferedReader from;

    private WaiterProcess(Process process) {
        this.process = process;
        this.to = process.outputWriter();
        this.from = process.inputReader();
    }

    /** Waiters numbered from {@code first}. The URL goes by the pipe, for it holds a password. */
    static WaiterProcess start(Contender contender, Database database, int first, int waiters) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var started = new WaiterProcess(new ProcessBuilder(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Waiters.class.getName(),
                        contender.name(),
                        Integer.toString(first),
                        Integer.toString(waiters))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        started.say(database.url());
        return started;
    }

    /** Returns when the process is connected and shows the same clock as ours. */
    void awaitReady() throws IOException {
        hear();
        var before = System.nanoTime();
        say("clock");
        var clock = Long.parseLong(hear());
        if (clock < before || clock > System.nanoTime()) {
            throw new IllegalStateException("The monotonic clock is not shared between processes on this host");
        }
    }

    void go(Span span) throws IOException {
        say(span.line());
    }

    List<Turn> turns() throws IOException {
        var turns = new ArrayList<Turn>();
        for (var line = hear(); !line.isEmpty(); line = hear()) {
            turns.add(Turn.parse(line));
        }
        return turns;
    }

    private void say(String line) throws IOException {
        to.write(line + "\n");
        to.flush();
    }

    private String hear() throws IOException {
        var line = from.readLine();
        if (line == null) {
            throw new IOException("A process of waiters ended early");
        }
        return line;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
