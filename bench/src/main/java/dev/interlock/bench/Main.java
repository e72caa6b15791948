package dev.interlock.bench;

import dev.interlock.bench.postgres.OwnServer;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The command {@code bench/run}. */
final class Main {
    private static final int USAGE_ERROR = 64;

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        var line = List.of(arguments);
        if (line.contains("--help")) {
            System.out.print(Options.USAGE);
            return;
        }
        try {
            var options = Options.parse(line, Path.of(System.getProperty("interlock.root", ".")));
            System.out.print(measure(options).markdown());
            System.err.println("report.md and the histograms are in " + options.out());
        } catch (Options.Mistaken mistake) {
            System.err.println("bench/run: " + mistake.getMessage() + "; see bench/run --help");
            System.exit(USAGE_ERROR);
        }
    }

    private static Report measure(Options options) throws Exception {
        if (options.url().isPresent()) {
            return measure(options, options.url().get(), Optional.empty());
        }
        try (var server = OwnServer.start()) {
            return measure(options, server.url(), Optional.of(server.directory()));
        }
    }

    private static Report measure(Options options, String url, Optional<Path> disk) throws Exception {
        try (var postgres = new Postgres(url)) {
            return new Run(options, postgres, disk).measure();
        }
    }
}
