package dev.interlock.bench.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Keeps the raw histograms, in nanoseconds, in the format of HdrHistogram's tools. */
public record HistogramFiles(Path directory) {
    public void write(List<String> names, int round, Histogram histogram) throws IOException {
        var name = names.stream().map(HistogramFiles::plain).collect(Collectors.joining("."));
        Files.createDirectories(directory);
        var file = directory.resolve(name + ".round" + round + ".hlog");
        try (var out = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            var log = new HistogramLogWriter(out);
            log.outputLogFormatVersion();
            log.outputLegend();
            log.outputIntervalHistogram(histogram);
        }
    }

    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9_]+", "-").replaceAll("^-|-$", "");
    }
}
