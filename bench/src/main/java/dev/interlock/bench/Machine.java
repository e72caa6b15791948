package dev.interlock.bench;

import dev.interlock.bench.report.Report.Fact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What the figures were taken on. */
final class Machine {
    private Machine() {}

    static List<Fact> facts() throws IOException {
        return List.of(
                new Fact("processor", processor()),
                new Fact("memory", memory()),
                new Fact("system", System.getProperty("os.name") + " " + System.getProperty("os.version")),
                new Fact("load average at the start", field("/proc/loadavg", "(.*? .*? .*?) ")),
                new Fact("JDK", System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version")));
    }

    private static String processor() throws IOException {
        return Runtime.getRuntime().availableProcessors() + " × " + field("/proc/cpuinfo", "model name\\s*: (.*)");
    }

    private static String memory() throws IOException {
        var kibibytes = Long.parseLong(field("/proc/meminfo", "MemTotal:\\s*(\\d+) kB"));
        return String.format(Locale.ROOT, "%.1f GiB", kibibytes / 1048576.0);
    }

    private static String field(String file, String pattern) throws IOException {
        var found = Pattern.compile(pattern).matcher(Files.readString(Path.of(file)));
        return found.find() ? found.group(1) : "unknown";
    }
}
