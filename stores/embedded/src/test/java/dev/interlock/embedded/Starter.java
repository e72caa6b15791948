package dev.interlock.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process that does what a command does: asks for the address, and ends. */
final class Starter {
    private final Process process;
    private final BufferedReader output;

    private Starter(Process process) {
        this.process = process;
        this.output = process.inputReader(UTF_8);
    }

    /** With the class path of this one. */
    static Starter at(Path home, String... prefix) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return at(home, classPath, List.of(prefix), "1");
    }

    /** For another user, who cannot read the class path of this one, but needs none of its libraries. */
    static Starter readableByAll(Path home, String... prefix) throws IOException {
        return at(home, Homes.classes().toString(), List.of(prefix), "1");
    }

    static Starter withThreads(Path home, int threads) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return at(home, classPath, List.of(), Integer.toString(threads));
    }

    private static Starter at(Path home, String classPath, List<String> prefix, String threads) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-MaxFDLimit", "-Xmx64m"));
        command.addAll(List.of("-cp", classPath, Starter.class.getName(), home.toString(), threads));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("INTERLOCK_TEST_SECRET", "must not reach the server");
        return new Starter(builder.start());
    }

    Process process() {
        return process;
    }

    /** Reads until a line begins like this; null if the output ended before. */
    String line(String beginning) throws IOException {
        String line = output.readLine();
        while (line != null && !line.startsWith(beginning)) {
            line = output.readLine();
        }
        return String.valueOf(line);
    }

    /** All that it says, to the end of its output. */
    List<String> lines() {
        return output.lines().toList();
    }

    public static void main(String[] args) throws Exception {
        EmbeddedPostgres store = new EmbeddedPostgres(Path.of(args[0]), System.out::println);
        int threads = Integer.parseInt(args[1]);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Callable<Address>> calls = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                calls.add(store::address);
            }
            for (Future<Address> answer : pool.invokeAll(calls)) {
                System.out.println(said(answer));
            }
        }
    }

    private static String said(Future<Address> answer) throws InterruptedException {
        try {
            return "address " + answer.get().port();
        } catch (java.util.concurrent.ExecutionException e) {
            return "refused " + e.getCause().getMessage();
        }
    }
}
