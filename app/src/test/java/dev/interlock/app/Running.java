package dev.interlock.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A started {@code interlock}. Its process is the JVM itself: the launcher's shell has become it. */
record Running(Process process, Path outFile, Path errFile) {
    /** Far more than anything takes: machines that test are busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** Of what has ended. */
    record Result(int status, String out, String err) {}

    long pid() {
        return process.pid();
    }

    String out() {
        return text(outFile);
    }

    String err() {
        return text(errFile);
    }

    /** The first line of its output, as soon as it is whole. */
    String firstLine() {
        await("a line on its output; it said: " + err(), () -> out().contains("\n") || !process.isAlive());
        return out().lines().findFirst().orElseThrow(() -> new AssertionError("It ended silently: " + err()));
    }

    /** @param signal as kill(1) names it */
    void signal(String signal) {
        signal(signal, pid());
    }

    Result result() {
        await("its end; so far it said: " + out() + err(), () -> !process.isAlive());
        Result result = new Result(process.exitValue(), out(), err());
        try {
            Files.delete(outFile);
            Files.delete(errFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return result;
    }

    static void signal(String signal, long pid) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean isAlive(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state != 'Z' && state != 'X'; // a dead one that nobody has waited for yet
        } catch (IOException e) {
            return false;
        }
    }

    static void awaitEnd(List<Long> pids) {
        await("the end of " + pids, () -> pids.stream().noneMatch(Running::isAlive));
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Waited in vain for " + what);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
