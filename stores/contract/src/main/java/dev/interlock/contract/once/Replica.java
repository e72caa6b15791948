package dev.interlock.contract.once;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A started {@link OnceProcess}. */
final class Replica implements AutoCloseable {
    /** Far more than anything takes: machines that test are busy. */
    private static final int PATIENCE_SECONDS = 180;

    private static final String END = "(its output has ended)";

    private final BlockingQueue<String> words = new LinkedBlockingQueue<>();
    private final Process process;

    Replica(OnceProcess.Plan plan, List<String> address) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                OnceProcess.class.getName()));
        command.addAll(plan.words());
        command.addAll(address);
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread.ofPlatform().daemon().start(this::listen);
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(words::add);
        } catch (IOException | UncheckedIOException e) {
            // It was killed.
        }
        words.add(END);
    }

    void tell(String word) {
        try {
            process.getOutputStream().write((word + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitWord(String expected) {
        String word = next();
        if (!word.equals(expected)) {
            throw new AssertionError("It should have said '" + expected + "', not '" + word + "'.");
        }
    }

    /** What its callers came to, in its words. */
    List<String> answers() {
        List<String> answers = new ArrayList<>();
        for (String word = next(); !word.equals("done"); word = next()) {
            if (word.equals(END)) {
                throw new AssertionError("It ended after " + answers);
            }
            answers.add(word);
        }
        return answers;
    }

    private String next() {
        try {
            String word = words.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (word == null) {
                throw new AssertionError("It says nothing any more.");
            }
            return word;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** With signal 9, at once. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a signal, by the name that kill(1) knows it by. */
    void signal(String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
