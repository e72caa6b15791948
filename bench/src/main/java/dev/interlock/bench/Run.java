package dev.interlock.bench;

import dev.interlock.bench.dynamodb.RequestsPerVerb;
import dev.interlock.bench.jobs.Drain;
import dev.interlock.bench.jobs.Flood;
import dev.interlock.bench.jobs.Handover;
import dev.interlock.bench.jobs.Recovery;
import dev.interlock.bench.jobs.Submitting;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.postgres.Probe;
import dev.interlock.bench.report.HistogramFiles;
import dev.interlock.bench.report.Report;
import dev.interlock.bench.report.Report.Fact;
import dev.interlock.bench.report.Report.Section;
import dev.interlock.bench.report.Table;
import dev.interlock.bench.workload.Among;
import dev.interlock.bench.workload.CommandStart;
import dev.interlock.bench.workload.Contended;
import dev.interlock.bench.workload.Growth;
import dev.interlock.bench.workload.KubernetesRate;
import dev.interlock.bench.workload.Renewal;
import dev.interlock.bench.workload.Uncontended;
import dev.interlock.bench.workload.Window;
import dev.interlock.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** One run: all workloads asked for, on one server. The report on disk grows with each workload that is done. */
record Run(Options options, Postgres postgres, Optional<Path> disk) {
    private static final List<String> SETTINGS = List.of(
            "fsync",
            "synchronous_commit",
            "wal_sync_method",
            "shared_buffers",
            "max_wal_size",
            "checkpoint_timeout",
            "autovacuum");

    Report measure() throws Exception {
        var workloads = workloads();
        var rounds =
                new Rounds(options.rounds(), new HistogramFiles(options.out().resolve("histograms")));
        var facts = facts();
        var sections = new ArrayList<Section>();
        for (var workload : workloads) {
            sections.add(section(workload, rounds));
            keep(new Report(facts, sections));
        }
        return new Report(facts, sections);
    }

    private List<Workload> workloads() {
        var window = options.window();
        var wanted = Stream.<Workload>of(
                        new Uncontended(postgres, window),
                        new Contended(postgres, new Window(options.warmUp(), window.measured())),
                        new Renewal(postgres, window, options.heldLocks()),
                        new Growth(postgres, window, options.manyNames()),
                        new CommandStart(postgres, options.interlock()),
                        new RequestsPerVerb(),
                        new Drain(postgres, options.backlog()),
                        new Submitting(postgres, options.fewJobs()),
                        new Flood(postgres, options.stuck(), options.backlog()),
                        new Handover(postgres, options.lineOfJobs(), options.warmUpOfLines()),
                        new Recovery(postgres),
                        new KubernetesRate(options.warmUp(), options.fixedRate()))
                .filter(workload -> options.wants(workload.id()))
                .toList();
        return options.contenders().isEmpty() ? wanted : among(wanted, options.contenders());
    }

    private static List<Workload> among(List<Workload> workloads, List<String> contenders) {
        for (var text : contenders) {
            if (workloads.stream().noneMatch(workload -> Among.isMeant(text, workload))) {
                throw new Options.Mistaken("No contender has '" + text + "' in its name");
            }
        }
        return workloads.stream()
                .<Workload>map(workload -> new Among(workload, contenders))
                .toList();
    }

    private static Section section(Workload workload, Rounds rounds) throws Exception {
        var settings = new LinkedHashMap<String, String>();
        workload.list()
                .forEach(situation ->
                        situation.trials().forEach(trial -> settings.put(trial.contender(), trial.settings())));
        var found = rounds.run(workload);
        var table = new Table(workload.situations(), List.copyOf(settings.keySet()), workload.baseline(), found);
        return new Section(workload.title(), workload.method(), table, workload.notes(), settings);
    }

    private void keep(Report report) throws IOException {
        Files.createDirectories(options.out());
        Files.writeString(options.out().resolve("report.md"), report.markdown());
    }

    private List<Fact> facts() throws Exception {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()));
        facts.add(new Fact("command", "`bench/run" + options.shown() + "`"));
        facts.add(new Fact(
                "rounds",
                "%d; each measurement warms up for %d s and counts for %d s"
                        .formatted(
                                options.rounds(),
                                options.window().warmUp().toSeconds(),
                                options.window().measured().toSeconds())));
        facts.addAll(Machine.facts());
        facts.add(new Fact("PostgreSQL", postgres.setting("server_version") + settings()));
        if (disk.isPresent()) {
            facts.add(rate("fdatasync of one 8 KiB page", Probe.syncsPerSecond(disk.get())));
        }
        facts.add(rate("bare commits, one connection", postgres.inFreshDatabase(Probe::commitsPerSecond)));
        return facts;
    }

    private String settings() throws Exception {
        var all = new StringBuilder();
        for (var setting : SETTINGS) {
            all.append(", ").append(setting).append(' ').append(postgres.setting(setting));
        }
        return all.toString();
    }

    private static Fact rate(String name, double perSecond) {
        return new Fact(name, String.format(Locale.ROOT, "%,.0f/s", perSecond));
    }
}
