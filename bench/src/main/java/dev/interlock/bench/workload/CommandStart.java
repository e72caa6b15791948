package dev.interlock.bench.workload;

import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** How long a command takes from its start to its end. */
public record CommandStart(Postgres postgres, Path interlock) implements Workload {
    private static final int WARM_UP = 2;
    private static final int RUNS = 5;
    private static final int TURNS = 4;

    private static final Figure MEDIAN = Figure.compared("median", Unit.MILLIS);
    private static final Figure FASTEST = Figure.compared("fastest", Unit.MILLIS);

    @Override
    public String id() {
        return "start";
    }

    @Override
    public String title() {
        return "Start of the command line";
    }

    @Override
    public String method() {
        return "From the start of the process to its end; %d turns a round of %d runs each, after %d that do not count."
                .formatted(TURNS, RUNS, WARM_UP);
    }

    @Override
    public String situations() {
        return "runs per turn";
    }

    @Override
    public String baseline() {
        return installed().map(Command::name).findFirst().orElse("");
    }

    @Override
    public List<Situation> list() {
        var trials = installed().map(this::trial).toList();
        return List.of(new Situation(Integer.toString(RUNS), trials));
    }

    @Override
    public int turns() {
        return TURNS;
    }

    @Override
    public List<String> notes() {
        return commands()
                .filter(command -> !command.installed())
                .map(command -> "Not measured, not installed: `" + command.name() + "`.")
                .toList();
    }

    private Trial trial(Command command) {
        return new Trial(command.name(), "", () -> postgres.inFreshDatabase(command::measure));
    }

    private Stream<Command> installed() {
        return commands().filter(Command::installed);
    }

    private Stream<Command> commands() {
        var program = interlock.toAbsolutePath().toString();
        return Stream.of(
                new Command("kubectl version --client", store -> List.of("kubectl", "version", "--client")),
                new Command("terraform version", store -> List.of("terraform", "version")),
                new Command("psql -c 'select 1'", store -> List.of("psql", store, "-c", "select 1")),
                new Command("interlock locks list", store -> List.of(program, "--store", store, "locks", "list")),
                new Command(
                        "interlock run --lock x -- true",
                        store -> List.of(program, "--store", store, "run", "--lock", "x", "--", "true")));
    }

    /** What is started, given the address of the database. */
    private record Command(String name, Line line) {
        boolean installed() {
            var program = line.on("").getFirst();
            return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                    .anyMatch(directory -> Files.isExecutable(Path.of(directory).resolve(program)));
        }

        Reading measure(Database database) throws IOException, InterruptedException {
            for (var i = 0; i < WARM_UP; i++) {
                run(database);
            }
            var durations = new Histogram(3);
            for (var i = 0; i < RUNS; i++) {
                durations.recordValue(run(database));
            }
            return new Reading(
                    List.of(MEDIAN.is(Millis.at(durations, 50)), FASTEST.is(durations.getMinNonZeroValue() / 1e6)),
                    Map.of("start", durations));
        }

        private long run(Database database) throws IOException, InterruptedException {
            var process = new ProcessBuilder(line.on(database.address()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            database.password().ifPresent(password -> process.environment().put("PGPASSWORD", password));
            var start = System.nanoTime();
            var exit = process.start().waitFor();
            var duration = System.nanoTime() - start;
            if (exit != 0) {
                throw new IOException(name + " ended with exit code " + exit);
            }
            return duration;
        }
    }

    private interface Line {
        List<String> on(String store);
    }
}
