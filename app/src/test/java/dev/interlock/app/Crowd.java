package dev.interlock.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Many {@code interlock run} of one lock, from three homes as from three machines, on one PostgreSQL. */
final class Crowd implements AutoCloseable {
    private static final int MACHINES = 3;

    /** A start takes a processor for itself: the more at once, the later the first. */
    private static final int STARTING = 8;

    /** What one of them takes, with its command and its connections to the server. */
    private static final long KIBIBYTES_EACH = 80 * 1024;

    final String lock;
    private final Connection connection;
    private final List<Cli> machines = new ArrayList<>();
    private final Map<String, Running> runs = new LinkedHashMap<>();
    private final Map<String, Running.Result> ended = new HashMap<>();
    private final Running gate;
    private final int room;
    private boolean open;

    /** Nobody gets in before {@link #open}, so that all stand in the queue together as far as memory allows. */
    Crowd(String lock, Server server, Homes homes, Path launcher) throws IOException, SQLException {
        this.lock = lock;
        connection = server.connect();
        String url = server.url();
        for (int i = 1; i <= MACHINES; i++) {
            machines.add(Cli.in(homes.path("machine-" + i))
                    .with("INTERLOCK_STORE", url)
                    .at(launcher));
        }
        room = Math.toIntExact(Math.max(STARTING, available() / KIBIBYTES_EACH));
        gate = machines.getFirst().start("run", "--lock", lock, "--", "sh", "-c", "echo closed; exec sleep 3600");
        gate.firstLine();
    }

    private static long available() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    void join(String who, String ttl, List<String> command) throws IOException {
        if (living() >= room) {
            open();
        }
        Running.await("room for another one", () -> living() < room && starting() < STARTING);
        List<String> words = new ArrayList<>(List.of("run", "--wait", "10m", "--ttl", ttl, "--execution", who));
        words.addAll(List.of("--lock", lock, "--"));
        words.addAll(command);
        runs.put(who, machines.get(runs.size() % MACHINES).start(words.toArray(new String[0])));
    }

    private long living() {
        return runs.values().stream().filter(run -> run.process().isAlive()).count();
    }

    /** Those that have not said yet that they wait. */
    private long starting() {
        return runs.values().stream()
                .filter(run -> run.process().isAlive() && run.errFile().toFile().length() == 0)
                .count();
    }

    void open() {
        if (!open) {
            Running.await(
                    "all to stand in the queue", () -> starting() == 0 && Server.waiting(lock, connection) >= living());
            gate.signal("TERM");
            gate.result();
            open = true;
        }
    }

    /** Kills the launcher alone; whether it was still there. */
    boolean kill(String who) {
        Running run = runs.get(who);
        boolean alive = run != null && run.process().isAlive();
        if (alive) {
            run.signal("KILL");
        }
        return alive;
    }

    Map<String, Running.Result> results() {
        runs.forEach((who, run) -> ended.computeIfAbsent(who, anew -> run.result()));
        return ended;
    }

    @Override
    public void close() throws SQLException {
        for (Running run : runs.values()) {
            run.process().destroyForcibly();
        }
        gate.process().destroyForcibly();
        connection.close();
    }
}
