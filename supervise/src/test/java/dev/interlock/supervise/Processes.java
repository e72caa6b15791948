package dev.interlock.supervise;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The processes of this machine, as a test sees them. */
final class Processes {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Map<String, Integer> NUMBERS = Map.of(
            "HUP", 1, "INT", 2, "QUIT", 3, "KILL", 9, "USR1", 10, "USR2", 12, "TERM", 15, "CONT", 18, "STOP", 19);

    private Processes() {}

    /** Those alive whose command line has the number of a {@link Tree} in it, launchers and terminals aside. */
    static List<Long> bearing(String number) {
        return where(words ->
                words.contains(number) && !words.contains("dev.interlock.supervise") && !words.contains("terminal.py"));
    }

    static List<Long> sleepsBearing(String number) {
        return where(words -> words.equals("sleep 600." + number + " "));
    }

    /** The guards of this launcher: as a rule one. */
    static List<Long> guardsOf(long launcher) {
        return where(words -> words.contains(" interlock-guard:") && words.endsWith(" " + launcher + " ")).stream()
                .filter(pid -> parent(pid) == launcher)
                .toList();
    }

    static List<Long> guardsAndTimersOf(long launcher) {
        return where(words -> words.contains(" interlock-guard:") && words.endsWith(" " + launcher + " "));
    }

    static List<Long> launchersBearing(String number) {
        return where(words -> words.contains(number) && words.contains("dev.interlock.supervise."));
    }

    /** Not by kill(1): the one of procps takes the number of a group for an option, and then for -1, which is everybody. */
    static void signal(String name, List<Long> pids) {
        for (long pid : pids) {
            assertThat(Math.abs(pid)).as("one process or group").isGreaterThan(1);
            Libc.call("kill", pid, NUMBERS.get(name));
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("Waited in vain until " + what);
            }
            LockSupport.parkNanos(MILLISECONDS.toNanos(10));
        }
    }

    private static List<Long> where(Predicate<String> ofWords) {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : all) {
                if (ofWords.test(words(process))) {
                    found.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        return found;
    }

    /** Each followed by a blank. A process that is dead has none. */
    private static String words(Path process) {
        try {
            byte[] words = Files.readAllBytes(process.resolve("cmdline"));
            return new String(words, StandardCharsets.ISO_8859_1).replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }

    private static long parent(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(ProcessHandle::parent)
                .map(ProcessHandle::pid)
                .orElse(0L);
    }
}
