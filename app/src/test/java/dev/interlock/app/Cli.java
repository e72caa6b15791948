package dev.interlock.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The {@code interlock} of the built distribution, as users start it: a process of its own, without a terminal, whose
 * store is in a home of its own. A value: each {@code with} gives another one.
 */
record Cli(Path launcher, List<String> prefix, Map<String, String> environment) {
    static Cli in(Path home) {
        return new Cli(distribution().resolve("bin/interlock"), List.of(), Map.of())
                .with("INTERLOCK_HOME", home.toString())
                .with("INTERLOCK_AOT_CACHE", "off") // uses one that is there, and makes none behind the tests' back
                .with("INTERLOCK_STORE", "");
    }

    static Path distribution() {
        return Path.of(System.getProperty("interlock.distribution"));
    }

    Cli with(String variable, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(variable, value);
        return new Cli(launcher, prefix, more);
    }

    Cli at(Path otherLauncher) {
        return new Cli(otherLauncher, prefix, environment);
    }

    /** Started by another program, such as {@code setpriv}. */
    Cli through(String... words) {
        return new Cli(launcher, List.of(words), environment);
    }

    Running start(String... words) {
        List<String> command = new ArrayList<>(prefix);
        command.add(launcher.toString());
        Collections.addAll(command, words);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        try {
            Path out = Files.createTempFile("interlock", ".out");
            Path err = Files.createTempFile("interlock", ".err");
            Process process = builder.redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            return new Running(process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Running.Result run(String... words) {
        return start(words).result();
    }
}
