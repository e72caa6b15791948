package dev.interlock.supervise;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** A launcher as one would write it first, without a guard: what it leaves behind proves that the tests can see it. */
final class PlainLauncher {
    private PlainLauncher() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> words = Arrays.asList(args);
        Process command = new ProcessBuilder(words.subList(words.indexOf("--") + 1, words.size()))
                .inheritIO()
                .start();
        System.exit(command.waitFor());
    }
}
