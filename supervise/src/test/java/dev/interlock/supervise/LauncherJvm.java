package dev.interlock.supervise;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A launcher in a JVM of its own: how it is started, and what came of it. */
final class LauncherJvm {
    /** Of what has ended. */
    record Result(int status, String out, String err) {}

    static final List<String> PORTABLE = List.of();
    static final List<String> EXACT =
            List.of("env", "--block-signal=HUP,INT,QUIT,TERM,USR1,USR2", ExactSignals.VARIABLE + "=40");
    static final List<String> AS_NOBODY = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    /** Without a terminal and with no signal ignored, whatever these tests are run from, if it is nohup. */
    private static final List<String> APART = List.of("setsid", "env", "--default-signal=HUP,INT,QUIT");

    final Process process;
    private final Path out;
    private final Path err;

    private LauncherJvm(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** The words that start a launcher of which only its own options and the command are missing. */
    static List<String> words(Class<?> main, List<String> signals, String... properties) {
        List<String> words = new ArrayList<>(signals);
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-XX:-UsePerfData"));
        words.addAll(List.of("-XX:-MaxFDLimit", "--enable-native-access=ALL-UNNAMED"));
        if (signals.containsAll(EXACT)) {
            words.addAll(List.of("-Xrs", "-XX:+DisableAttachMechanism"));
        }
        words.addAll(List.of(properties));
        words.addAll(List.of("-cp", home(Supervisor.class) + ":" + home(Launcher.class), main.getName()));
        return words;
    }

    static LauncherJvm start(List<String> launcher, List<String> arguments) {
        return started(new ProcessBuilder(joined(APART, joined(launcher, arguments))));
    }

    static Result run(List<String> launcher, String... arguments) {
        return start(launcher, List.of(arguments)).result();
    }

    static List<String> joined(List<String> first, List<String> second) {
        List<String> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }

    /** A line of bash, in which {@code $launcher} stands for a launcher with its {@code --}. */
    static Result bash(List<String> launcher, String line, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(joined(
                APART, List.of("bash", "-c", line.replace("$launcher", line(launcher) + " --"))));
        builder.environment().putAll(environment);
        return started(builder).result();
    }

    /** As one types it. */
    static String line(List<String> words) {
        return "'" + String.join("' '", words) + "'";
    }

    static String resource(String name) {
        return Path.of(home(Launcher.class), "dev", "interlock", "supervise", name)
                .toString();
    }

    private static LauncherJvm started(ProcessBuilder builder) {
        try {
            Path out = Files.createTempFile("interlock", ".out");
            Path err = Files.createTempFile("interlock", ".err");
            out.toFile().deleteOnExit();
            err.toFile().deleteOnExit();
            builder.redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            return new LauncherJvm(builder.start(), out, err);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    long pid() {
        return process.pid();
    }

    String out() {
        return text(out);
    }

    String err() {
        return text(err);
    }

    void awaitOut(String text) {
        Processes.await("it says " + text, () -> out().contains(text));
    }

    void signal(String name) {
        Processes.signal(name, List.of(pid()));
    }

    long guard() {
        List<Long> found = new ArrayList<>();
        Processes.await("there is one guard", () -> {
            found.clear();
            return found.addAll(Processes.guardsOf(pid())) && found.size() == 1;
        });
        return found.getFirst();
    }

    Result result() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                fail("It has not ended. Output: " + out() + err());
            }
            return new Result(process.exitValue(), out(), err());
        } catch (InterruptedException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static String home(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
