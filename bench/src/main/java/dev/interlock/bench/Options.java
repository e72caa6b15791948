package dev.interlock.bench;

import dev.interlock.bench.workload.Window;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was asked for on the command line. */
record Options(
        boolean quick,
        List<String> only,
        List<String> contenders,
        int rounds,
        Path out,
        Path interlock,
        Optional<String> url) {
    static final String USAGE = """
            Usage: bench/run [options]

            Measures Interlock beside its peers, all on one PostgreSQL (or one DynamoDB Local), and prints the ratios as
            Markdown.

              --quick            short windows and fewer names: shows that everything works, proves no figure
              --only WORKLOAD    one of uncontended, contended, renewal, growth, start, dynamodb, jobs-drain,
                                 jobs-submit, jobs-flood, jobs-handover, jobs-recovery, jobs (all of these five),
                                 kubernetes; may be repeated; kubernetes needs an API server and is measured only
                                 when it is asked for
              --contender TEXT   only those whose name has this in it, and the one that they are set against; may be repeated
              --rounds N         how often each contender is measured; the median counts (default 3)
              --out DIR          where report.md and the histograms go (default bench/target/results)
              --url JDBC-URL     a server of yours instead of one started for the run; the user must be allowed to
                                 create databases and to run CHECKPOINT
              --interlock PATH   the command measured by the workload start (default ./interlock)
            """;

    private static final String KUBERNETES = "kubernetes";
    private static final String JOBS = "jobs";
    private static final Set<String> WORKLOADS = Set.of(
            "uncontended",
            "contended",
            "renewal",
            "growth",
            "start",
            "dynamodb",
            JOBS,
            "jobs-drain",
            "jobs-submit",
            "jobs-flood",
            "jobs-handover",
            "jobs-recovery",
            KUBERNETES);
    private static final Set<String> FLAGS = Set.of("--quick");
    private static final Set<String> VALUED =
            Set.of("--only", "--contender", "--rounds", "--out", "--url", "--interlock");

    /** The command line makes no sense. */
    static final class Mistaken extends RuntimeException {
        Mistaken(String message) {
            super(message);
        }
    }

    static Options parse(List<String> arguments, Path root) {
        var given = given(arguments);
        return new Options(
                given.containsKey("--quick"),
                given.getOrDefault("--only", List.of()).stream()
                        .map(Options::workload)
                        .toList(),
                given.getOrDefault("--contender", List.of()),
                last(given, "--rounds").map(Options::rounds).orElse(3),
                last(given, "--out").map(Path::of).orElse(root.resolve("bench/target/results")),
                last(given, "--interlock").map(Path::of).orElse(root.resolve("interlock")),
                last(given, "--url"));
    }

    private static Map<String, List<String>> given(List<String> arguments) {
        var given = new LinkedHashMap<String, List<String>>();
        for (var rest = arguments.iterator(); rest.hasNext(); ) {
            var option = rest.next();
            var values = given.computeIfAbsent(option, first -> new ArrayList<>());
            if (VALUED.contains(option)) {
                if (!rest.hasNext()) {
                    throw new Mistaken(option + " needs a value");
                }
                values.add(rest.next());
            } else if (!FLAGS.contains(option)) {
                throw new Mistaken("Unknown option " + option);
            }
        }
        return given;
    }

    private static Optional<String> last(Map<String, List<String>> given, String option) {
        return Optional.ofNullable(given.get(option)).map(List::getLast);
    }

    private static String workload(String name) {
        if (!WORKLOADS.contains(name)) {
            throw new Mistaken("Unknown workload " + name);
        }
        return name;
    }

    private static int rounds(String value) {
        if (!value.matches("[1-9]\\d?")) {
            throw new Mistaken("--rounds needs a number from 1 to 99, not " + value);
        }
        return Integer.parseInt(value);
    }

    /** The options as given, without the URL, which may hold a password. */
    String shown() {
        return Stream.of(
                        quick ? " --quick" : "",
                        only.stream().map(name -> " --only " + name).collect(Collectors.joining()),
                        contenders.stream()
                                .map(text -> " --contender '" + text + "'")
                                .collect(Collectors.joining()),
                        " --rounds " + rounds,
                        url.isPresent() ? " --url …" : "")
                .collect(Collectors.joining());
    }

    boolean wants(String workload) {
        return (only.isEmpty() && !workload.equals(KUBERNETES))
                || only.contains(workload)
                || (only.contains(JOBS) && workload.startsWith(JOBS + "-"));
    }

    Window window() {
        return quick
                ? new Window(Duration.ofSeconds(1), Duration.ofSeconds(1))
                : new Window(Duration.ofSeconds(3), Duration.ofSeconds(5));
    }

    /** Of a program that does so little in a second that it takes longer to warm up. */
    Duration warmUp() {
        return Duration.ofSeconds(quick ? 1 : 20);
    }

    Duration fixedRate() {
        return Duration.ofSeconds(quick ? 5 : 60);
    }

    int heldLocks() {
        return quick ? 1_000 : 10_000;
    }

    int manyNames() {
        return quick ? 100_000 : 1_000_000;
    }

    int backlog() {
        return quick ? 5_000 : 50_000;
    }

    int stuck() {
        return 2 * backlog();
    }

    /** Submitted one by one. */
    int fewJobs() {
        return backlog() / 5;
    }

    int lineOfJobs() {
        return quick ? 20 : 2_000;
    }

    Duration warmUpOfLines() {
        return quick ? Duration.ZERO : Duration.ofSeconds(10);
    }
}
