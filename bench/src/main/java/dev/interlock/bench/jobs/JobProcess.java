package dev.interlock.bench.jobs;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The parent's end of a process that submits and runs jobs: what it tells {@link JobServant} or main.mjs. */
final class JobProcess implements AutoCloseable {
    private final Process process;
    private final BufferedWriter to;
    private final BufferedReader from;

    private JobProcess(Process process) {
        this.process = process;
        this.to = process.outputWriter();
        this.from = process.inputReader();
    }

    /** Returns when the process is ready. The URL goes by the pipe, for it holds a password. */
    static JobProcess start(List<String> command, String url) throws IOException {
        var started = new JobProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        started.ask(url);
        started.checkClock();
        return started;
    }

    private void checkClock() throws IOException {
        var before = System.nanoTime();
        var clock = Long.parseLong(ask("clock"));
        if (clock < before || clock > System.nanoTime()) {
            throw new IllegalStateException("The monotonic clock is not shared between processes on this host");
        }
    }

    /** How many nanoseconds it took. */
    long submitEach(Backlog backlog, int callers) throws IOException {
        return Long.parseLong(ask("submit each" + backlog.line() + " " + callers));
    }

    /** In bulks, one after the other, so that those of one target come in their order. */
    void submitInBulk(Backlog backlog) throws IOException {
        submitInBulk(backlog, 1);
    }

    /** How many nanoseconds it took. */
    long submitInBulk(Backlog backlog, int callers) throws IOException {
        return Long.parseLong(ask("submit bulk" + backlog.line() + " " + callers));
    }

    /** Starts to work; each job is held for so long. */
    void work(int slots, Duration hold) throws IOException {
        ask("work " + slots + " " + hold.toMillis());
    }

    int started() throws IOException {
        return count(0);
    }

    int ended() throws IOException {
        return count(1);
    }

    private int count(int place) throws IOException {
        return Integer.parseInt(ask("count").split(" ", 2)[place]);
    }

    /** Everything since it began to work. */
    List<Ran> ran() throws IOException {
        var ran = new ArrayList<Ran>();
        for (var line = ask("ran"); !line.isEmpty(); line = hear()) {
            ran.add(Ran.parse(line));
        }
        return ran;
    }

    void rest() throws IOException {
        ask("rest");
    }

    /** Stops it where it is, until it is killed. */
    void pause() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    private String ask(String line) throws IOException {
        to.write(line + "\n");
        to.flush();
        return hear();
    }

    private String hear() throws IOException {
        var line = from.readLine();
        if (line == null) {
            throw new IOException("A process of jobs ended early");
        }
        return line;
    }

    /** Without a word, as kill -9. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
