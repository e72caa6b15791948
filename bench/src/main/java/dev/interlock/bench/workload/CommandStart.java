package dev.interlock.bench.workload;

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
    private static final int WARM_UP = 3;
    private static final int RUNS = 20;

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
        return "From the start of the process to its end, %d runs in each round after %d that do not count."
                .formatted(RUNS, WARM_UP);
    }

    @Override
    public String situations() {
        return "of";
    }

    @Override
    public String baseline() {
        return installed().stream().map(Command::name).findFirst().orElse("");
    }

    @Override
    public List<Situation> list() {
        var trials = installed().stream()
                .map(command -> new Trial(command.name(), "`" + command.name() + "`", command::measure))
                .toList();
        return List.of(new Situation("start to end", trials));
    }

    @Override
    public List<String> notes() {
        return commands()
                .filter(command -> !command.installed())
                .map(command -> "Not measured, not installed: `" + command.name() + "`.")
                .toList();
    }

    private List<Command> installed() {
        return commands().filter(Command::installed).toList();
    }

    private Stream<Command> commands() {
        var program = interlock.toAbsolutePath().toString();
        var store = postgres.home().url().replaceFirst("jdbc:postgresql", "postgres");
        return Stream.of(
                new Command("kubectl version --client", List.of("kubectl", "version", "--client")),
                new Command("terraform version", List.of("terraform", "version")),
                new Command("psql -c 'select 1'", List.of("psql", store, "-c", "select 1")),
                new Command("interlock locks list", List.of(program, "--store", store, "locks", "list")),
                new Command(
                        "interlock run --lock x -- true",
                        List.of(program, "--store", store, "run", "--lock", "x", "--", "true")));
    }

    private record Command(String name, List<String> line) {
        boolean installed() {
            return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                    .anyMatch(directory -> Files.isExecutable(Path.of(directory).resolve(line.getFirst())));
        }

        Reading measure() throws IOException, InterruptedException {
            for (var i = 0; i < WARM_UP; i++) {
                run();
            }
            var durations = new Histogram(3);
            for (var i = 0; i < RUNS; i++) {
                durations.recordValue(run());
            }
            return new Reading(
                    List.of(MEDIAN.is(Millis.at(durations, 50)), FASTEST.is(durations.getMinValue() / 1e6)),
                    Map.of("start", durations));
        }

        private long run() throws IOException, InterruptedException {
            var start = System.nanoTime();
            var exit = new ProcessBuilder(line)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            var duration = System.nanoTime() - start;
            if (exit != 0) {
                throw new IOException(name + " ended with exit code " + exit);
            }
            return duration;
        }
    }
}
