package dev.interlock.testing.kube;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where kube-apiserver and etcd are: where {@code KUBEBUILDER_ASSETS} says; in the user's cache; by
 * {@code setup-envtest} when it is installed; else built from their Go modules, once, into the cache.
 */
final class Binaries {
    static final String VERSION = "1.35.4";

    private static final List<String> NAMES = List.of("etcd", "kube-apiserver");

    /** Where Go's own instructions unpack it, which not every shell has on its path. */
    private static final String GO_UNPACKED = "/usr/local/go/bin";

    private final Map<String, String> environment;
    private final Path cache;
    private final List<String> tried = new ArrayList<>();

    Binaries(Map<String, String> environment) {
        this.environment = environment;
        this.cache = cacheHome(environment).resolve("interlock/kube/" + VERSION + "-" + platform());
    }

    /** The directory that holds both. */
    Path find() throws BinariesMissing {
        return assets().or(this::cached)
                .or(this::downloaded)
                .or(this::built)
                .orElseThrow(() -> new BinariesMissing(String.join("; ", tried)));
    }

    private Optional<Path> assets() {
        String named = environment.getOrDefault("KUBEBUILDER_ASSETS", "");
        if (named.isEmpty()) {
            tried.add("KUBEBUILDER_ASSETS is not set");
            return Optional.empty();
        }
        return complete(Path.of(named), "KUBEBUILDER_ASSETS");
    }

    private Optional<Path> cached() {
        return complete(cache, "the cache");
    }

    private Optional<Path> complete(Path directory, String what) {
        if (NAMES.stream().allMatch(name -> Files.isExecutable(directory.resolve(name)))) {
            return Optional.of(directory);
        }
        tried.add(what + " (" + directory + ") does not hold " + String.join(" and ", NAMES));
        return Optional.empty();
    }

    private Optional<Path> downloaded() {
        Path tool = onPath("setup-envtest");
        if (tool == null) {
            tried.add("setup-envtest is not installed");
            return Optional.empty();
        }
        String minor = VERSION.substring(0, VERSION.lastIndexOf('.'));
        Finished asked = run(null, Map.of(), List.of(tool.toString(), "use", "-p", "path", minor));
        return asked.ok() ? complete(Path.of(asked.output().strip()), "setup-envtest") : failed("setup-envtest", asked);
    }

    /** Two test JVMs that come at the same time build once: the second waits and finds the cache filled. */
    private Optional<Path> built() {
        Path go = onPath("go");
        if (go == null) {
            tried.add("go is not installed, so they cannot be built");
            return Optional.empty();
        }
        try {
            Files.createDirectories(cache.getParent());
            Path lock = cache.resolveSibling(cache.getFileName() + ".lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                return held.isValid() && cached().isPresent() ? Optional.of(cache) : build(go);
            }
        } catch (IOException e) {
            tried.add("building failed: " + e);
            return Optional.empty();
        }
    }

    private Optional<Path> build(Path go) throws IOException {
        System.err.println("Building kube-apiserver and etcd from their Go modules, once; this takes 5 to 10 minutes.");
        Path work = Files.createTempDirectory(cache.getParent(), "building-");
        Path out = Files.createDirectories(work.resolve("out"));
        String stamps = Stream.of("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
                .flatMap(version -> Stream.of(
                                "gitVersion=v" + VERSION,
                                "gitMajor=" + VERSION.split("\\.", -1)[0],
                                "gitMinor=" + VERSION.split("\\.", -1)[1],
                                "gitTreeState=clean",
                                "gitCommit=proxy",
                                "buildDate=1970-01-01T00:00:00Z")
                        .map(value -> "-X " + version + "." + value))
                .collect(Collectors.joining(" "));
        boolean done = build(go, work, "etcd", "", out.resolve("etcd"), "go.etcd.io/etcd/server/v3")
                && build(
                        go,
                        work,
                        "kube",
                        stamps,
                        out.resolve("kube-apiserver"),
                        "k8s.io/kubernetes/cmd/kube-apiserver");
        if (done) {
            Files.createDirectories(cache);
            for (String name : NAMES) {
                Files.move(out.resolve(name), cache.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            }
        }
        try (Stream<Path> left = Files.walk(work)) {
            for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
        return done ? Optional.of(cache) : Optional.empty();
    }

    private boolean build(Path go, Path work, String module, String stamps, Path to, String what) throws IOException {
        Path directory = Files.createDirectories(work.resolve(module));
        for (String file : List.of("go.mod", "go.sum")) {
            try (InputStream in = Binaries.class.getResourceAsStream(module + "/" + file)) {
                if (in == null) {
                    throw new IOException("this jar lacks " + module + "/" + file);
                }
                Files.copy(in, directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Finished built = run(
                directory,
                Map.of("CGO_ENABLED", "0", "GOFLAGS", "-buildvcs=false -mod=readonly"),
                List.of(go.toString(), "build", "-trimpath", "-ldflags", "-s -w " + stamps, "-o", to.toString(), what));
        if (!built.ok()) {
            failed("go build " + what, built);
        }
        return built.ok();
    }

    private Optional<Path> failed(String what, Finished run) {
        tried.add(what + " failed: "
                + run.output().lines().reduce((first, last) -> last).orElse("without a word"));
        return Optional.empty();
    }

    private record Finished(boolean ok, String output) {}

    private static Finished run(@Nullable Path directory, Map<String, String> settings, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(settings);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Finished(process.waitFor() == 0, output);
        } catch (IOException e) {
            return new Finished(false, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Finished(false, "interrupted");
        }
    }

    private @Nullable Path onPath(String command) {
        String path = environment.getOrDefault("PATH", "") + ":" + GO_UNPACKED;
        for (String directory : path.split(":", -1)) {
            Path candidate = Path.of(directory.isEmpty() ? "." : directory, command);
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    private static Path cacheHome(Map<String, String> environment) {
        String named = environment.getOrDefault("XDG_CACHE_HOME", "");
        if (!named.isEmpty()) {
            return Path.of(named);
        }
        Path home = Path.of(System.getProperty("user.home"));
        return home.resolve(platform().startsWith("darwin") ? "Library/Caches" : ".cache");
    }

    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        return os + "-" + arch;
    }
}
