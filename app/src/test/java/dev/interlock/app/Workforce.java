package dev.interlock.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Workers as processes of the distribution, on a store of their own. Nothing of them is left at the end. */
final class Workforce implements AutoCloseable {
    private final Homes homes;
    private final Path declarations;

    /** Since what is waited for is asked for often, and a connection costs more than the answer. */
    private final Connection kept;

    private final List<Running> workers = new ArrayList<>();

    private Workforce(Homes homes, Path declarations, Connection kept) {
        this.homes = homes;
        this.declarations = declarations;
        this.kept = kept;
    }

    static Workforce declaring(String declarations) throws IOException, SQLException {
        Homes homes = new Homes();
        Connection kept = Server.started(homes.path("home")).connect();
        return new Workforce(homes, Files.writeString(homes.path("declarations.yaml"), declarations), kept);
    }

    Path path(String name) {
        return homes.path(name);
    }

    Path declarations() {
        return declarations;
    }

    Server server() {
        return new Server(homes.path("home"));
    }

    Cli cli() {
        return Cli.in(homes.path("home"));
    }

    /** What the command of a person would do, without a process of its own. */
    InProcess.Said say(String... words) {
        return InProcess.run(Map.of("INTERLOCK_HOME", homes.path("home").toString()), words);
    }

    Running hire(String... more) {
        return hire(cli(), more);
    }

    /** @param way by which the worker reaches the store */
    Running hire(Cli way, String... more) {
        List<String> words = new ArrayList<>(List.of("worker", "-d", declarations.toString()));
        words.addAll(List.of(more));
        Running worker = way.start(words.toArray(new String[0]));
        workers.add(worker);
        Running.await("a worker", () -> {
            if (!worker.process().isAlive()) {
                throw new AssertionError("It ended: " + worker.err());
            }
            return worker.err().contains("executions at once");
        });
        return worker;
    }

    /** How the store calls a worker. */
    static String id(Running worker) {
        return worker.err().replaceFirst("(?s).*Worker (\\S+) runs.*", "$1");
    }

    /** Its id, once it is accepted. */
    String submit(String workflow, String target, List<String> more) {
        List<String> words = new ArrayList<>(List.of("executions", "submit", workflow, target, "-q"));
        words.addAll(more);
        InProcess.Said said = say(words.toArray(new String[0]));
        if (said.code() != 0) {
            throw new AssertionError(said);
        }
        return said.out().strip();
    }

    String phase(String execution) {
        return of(execution, "phase");
    }

    /** Of an execution, as it is now. */
    String of(String execution, String column) {
        return Server.texts("SELECT " + column + " FROM interlock.execution WHERE id = '" + execution + "'", kept)
                .getFirst();
    }

    long number(String sql) {
        return Server.number(sql, kept);
    }

    void awaitPhase(String execution, String phase) {
        Running.await(execution + " " + phase, () -> phase(execution).equals(phase));
    }

    /** Ends all workers as they are. */
    void dismiss() {
        for (Running worker : workers) {
            worker.signal("CONT");
            worker.process().destroyForcibly();
        }
        Running.awaitEnd(workers.stream().map(Running::pid).toList());
        workers.clear();
    }

    @Override
    public void close() throws IOException, SQLException {
        dismiss();
        kept.close();
        homes.close();
    }
}
