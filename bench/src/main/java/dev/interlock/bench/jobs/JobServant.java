package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** A process of a contender in Java. It is spoken to by {@link JobProcess}, line by line; main.mjs does the same. */
final class JobServant {
    static final int CALLERS = 16;

    private final JvmContender.Client client;
    private Recorder recorder = new Recorder(Duration.ZERO);
    private AutoCloseable working = () -> {};

    private JobServant(JvmContender.Client client) {
        this.client = client;
    }

    public static void main(String[] arguments) throws Exception {
        var contender = JobContenders.inJava(arguments[0]);
        var lease = Duration.ofSeconds(Long.parseLong(arguments[1]));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (var client = contender.open(new Database(in.readLine()), CALLERS, lease)) {
            var servant = new JobServant(client);
            System.out.println("ready");
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(servant.answer(List.of(line.split(" "))));
            }
            servant.working.close();
        }
        System.exit(0);
    }

    private String answer(List<String> words) throws Exception {
        return switch (words.getFirst()) {
            case "clock" -> Long.toString(System.nanoTime());
            case "submit" -> submit(words);
            case "work" -> work(Integer.parseInt(words.get(1)), Long.parseLong(words.get(2)));
            case "count" -> recorder.counts();
            case "ran" -> recorder.lines();
            case "rest" -> rest();
            default -> throw new IllegalArgumentException("Unknown verb in " + words);
        };
    }

    private String work(int slots, long holdMillis) {
        recorder = new Recorder(Duration.ofMillis(holdMillis));
        working = client.work(slots, recorder);
        return "working";
    }

    private String rest() throws Exception {
        working.close();
        working = () -> {};
        return "resting";
    }

    private String submit(List<String> words) throws Exception {
        var jobs = Backlog.parse(words.subList(2, 6)).jobs();
        var callers = Integer.parseInt(words.get(6));
        var start = System.nanoTime();
        if (words.get(1).equals("bulk")) {
            each(chunks(jobs), callers, client::submit);
        } else {
            each(jobs, callers, client::submit);
        }
        return Long.toString(System.nanoTime() - start);
    }

    private static List<List<Job>> chunks(List<Job> jobs) {
        return IntStream.iterate(0, from -> from < jobs.size(), from -> from + Backlog.CHUNK)
                .mapToObj(from -> jobs.subList(from, Math.min(from + Backlog.CHUNK, jobs.size())))
                .toList();
    }

    private interface Caller<T> {
        void call(T part) throws SQLException;
    }

    private static <T> void each(List<T> parts, int callers, Caller<T> caller) throws Exception {
        var rest = new ConcurrentLinkedQueue<>(parts);
        var tasks = new ArrayList<Callable<Boolean>>();
        for (var i = 0; i < callers; i++) {
            tasks.add(() -> {
                for (var part = rest.poll(); part != null; part = rest.poll()) {
                    caller.call(part);
                }
                return true;
            });
        }
        try (var threads = Executors.newFixedThreadPool(callers)) {
            for (var task : threads.invokeAll(tasks)) {
                task.get();
            }
        }
    }
}
