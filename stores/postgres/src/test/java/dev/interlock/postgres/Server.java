package dev.interlock.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PostgreSQL of one major version, as a child of this JVM, that a test may kill and start again. */
final class Server implements AutoCloseable {
    private static final Path TARGET = Path.of("target", "postgres").toAbsolutePath();

    private final Path binaries;
    private final Path data;
    private final int port;
    private final List<String> settings;
    private Process process;

    private Server(Path binaries, Path data, int port, List<String> settings) {
        this.binaries = binaries;
        this.data = data;
        this.port = port;
        this.settings = settings;
    }

    static Server start(int major, String... settings) {
        try {
            Path binaries = unpacked(major);
            // Below the system's temporary directory, whose parents anybody may pass: the server does not run as root.
            Path data = Files.createTempDirectory("interlock-test-" + major + "-");
            run(List.of("chmod", "777", data.toString()));
            Server server = new Server(binaries, data.resolve("data"), freePort(), List.of(settings));
            run(server.unprivileged(List.of(
                    binaries.resolve("bin/initdb").toString(),
                    "-D",
                    server.data.toString(),
                    "-U",
                    "postgres",
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--no-sync")));
            server.start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void start() {
        List<String> command = new ArrayList<>(List.of(
                binaries.resolve("bin/postgres").toString(),
                "-D",
                data.toString(),
                "-p",
                String.valueOf(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_connections=300"));
        for (String setting : settings) {
            command.add("-c");
            command.add(setting);
        }
        try {
            process = new ProcessBuilder(unprivileged(command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            data.resolveSibling("log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitReady();
    }

    private void awaitReady() {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                source("postgres").getConnection().close();
                return;
            } catch (SQLException e) {
                if (System.nanoTime() > until || !process.isAlive()) {
                    throw new IllegalStateException("PostgreSQL does not start; see " + data.resolveSibling("log"), e);
                }
                Thread.onSpinWait();
            }
        }
    }

    /** kill -9: nothing is written that was not. */
    void crash() {
        // Listed before, since they are nobody's children after; a new server refuses to start while one of them lives.
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child -> child.onExit().join());
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As an administrator does: everything is written. */
    void stop() throws IOException, InterruptedException {
        run(List.of("kill", "-INT", String.valueOf(process.pid())));
        process.waitFor();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    int port() {
        return port;
    }

    Path data() {
        return data;
    }

    PGSimpleDataSource source(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(database);
        source.setUser("postgres");
        source.setConnectTimeout(5);
        return source;
    }

    /** A new database with the schema installed. */
    PGSimpleDataSource database(String name) {
        execute(source("postgres"), "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)", "CREATE DATABASE " + name);
        PGSimpleDataSource source = source(name);
        PostgresSchema.migrate(source);
        return source;
    }

    /** As somebody whom no trigger stops. */
    static void execute(PGSimpleDataSource source, String... statements) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET session_replication_role = replica");
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        crash();
        try {
            run(List.of("rm", "-rf", data.getParent().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> unprivileged(List<String> command) {
        if (!"root".equals(System.getProperty("user.name"))) {
            return command;
        }
        List<String> wrapped = new ArrayList<>(
                Arrays.asList("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "LC_ALL=C.UTF-8"));
        wrapped.addAll(command);
        return wrapped;
    }

    /** Unpacked once for all test runs, below the temporary directory for the same reason as the data. */
    private static synchronized Path unpacked(int major) throws IOException {
        Path jar = TARGET.resolve("postgres-" + major + ".jar");
        Path home =
                Path.of(System.getProperty("java.io.tmpdir"), "interlock-postgres-" + major + "-" + Files.size(jar));
        if (Files.exists(home.resolve("bin/postgres"))) {
            return home;
        }
        Path partial = Files.createTempDirectory("interlock-unpack-");
        run(List.of("chmod", "755", partial.toString()));
        try (JarFile file = new JarFile(jar.toFile())) {
            var entry = file.stream()
                    .filter(e -> e.getName().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow();
            Path archive = partial.resolve("postgres.txz");
            Files.copy(file.getInputStream(entry), archive);
            run(List.of("tar", "-xJf", archive.toString(), "-C", partial.toString()));
            Files.delete(archive);
        }
        try {
            Files.move(partial, home);
        } catch (java.nio.file.FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
            return home; // another JVM was faster
        }
        return home;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command + " failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
