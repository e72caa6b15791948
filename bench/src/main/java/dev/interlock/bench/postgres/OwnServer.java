package dev.interlock.bench.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** A PostgreSQL of this run's own, in a temporary directory that goes with it. It syncs to disk as by default. */
public final class OwnServer implements AutoCloseable {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final String UNPRIVILEGED = "65534";

    /** Nothing that starts by itself in the middle of a measurement; the rest as PostgreSQL comes. */
    private static final List<String> SETTINGS = List.of(
            "fsync=on",
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=320",
            "shared_buffers=512MB",
            "max_wal_size=8GB",
            "checkpoint_timeout=1h",
            "autovacuum=off",
            "shared_preload_libraries=pg_stat_statements",
            "pg_stat_statements.track=none");

    private final Path directory;
    private final Process process;
    private final String url;

    private OwnServer(Path directory, Process process, String url) {
        this.directory = directory;
        this.process = process;
        this.url = url;
    }

    public static OwnServer start() throws IOException, InterruptedException {
        var directory = Files.createTempDirectory("interlock-bench");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        unpack(directory);
        var password = UUID.randomUUID().toString();
        var data = initialised(directory, password);
        var port = freePort();
        var url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&password=" + password;
        var command = unprivileged(directory, "postgres", "-D", data.toString(), "-p", Integer.toString(port));
        SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
        var server = new OwnServer(directory, launch(command, log(directory)), url);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        server.awaitReady();
        return server;
    }

    public String url() {
        return url;
    }

    /** A directory on the disk that the server writes to. */
    public Path directory() {
        return directory;
    }

    private static void unpack(Path directory) throws IOException, InterruptedException {
        var archive = directory.resolve("postgres.txz");
        try (var in = Objects.requireNonNull(OwnServer.class.getResourceAsStream(ARCHIVE), ARCHIVE)) {
            Files.copy(in, archive);
        }
        finish(
                List.of("tar", "-xJf", archive.toString(), "-C", directory.toString(), "--no-same-owner"),
                log(directory));
        Files.delete(archive);
    }

    private static Path initialised(Path directory, String password) throws IOException, InterruptedException {
        var data = owned(Files.createDirectory(directory.resolve("data")));
        var passwordFile = owned(Files.createFile(
                directory.resolve("password"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
        Files.writeString(passwordFile, password);
        finish(
                unprivileged(
                        directory,
                        "initdb",
                        "-D" + data,
                        "-Upostgres",
                        "-Ascram-sha-256",
                        "--pwfile=" + passwordFile,
                        "-EUTF8",
                        "--locale=C.UTF-8"),
                log(directory));
        Files.delete(passwordFile);
        return data;
    }

    /** PostgreSQL refuses to run as root. */
    private static List<String> unprivileged(Path directory, String program, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        if (root(directory)) {
            command.addAll(List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--regid=" + UNPRIVILEGED, "--clear-groups"));
        }
        command.add(directory.resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path owned(Path path) throws IOException {
        if (root(path)) {
            var users = path.getFileSystem().getUserPrincipalLookupService();
            Files.setOwner(path, users.lookupPrincipalByName(UNPRIVILEGED));
        }
        return path;
    }

    private static boolean root(Path created) throws IOException {
        return Objects.equals(Files.getAttribute(created, "unix:uid"), 0);
    }

    private void awaitReady() throws IOException, InterruptedException {
        while (true) {
            try {
                DriverManager.getConnection(url).close();
                return;
            } catch (SQLException notYet) {
                if (!process.isAlive()) {
                    throw new IOException("PostgreSQL did not start:\n" + Files.readString(log(directory)), notYet);
                }
                Thread.sleep(20);
            }
        }
    }

    private static void finish(List<String> command, Path log) throws IOException, InterruptedException {
        if (launch(command, log).waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed:\n" + Files.readString(log));
        }
    }

    private static Process launch(List<String> command, Path log) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static Path log(Path directory) {
        return directory.resolve("log");
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * A fast shutdown (SIGINT), which does not wait for clients to leave as SIGTERM would. When the run is interrupted,
     * the shutdown hook and the thread that is measuring both come here.
     */
    @Override
    public synchronized void close() {
        try {
            if (process.isAlive()) {
                new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
                process.waitFor();
            }
            delete();
        } catch (IOException e) {
            System.err.println("Left behind: " + directory + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void delete() throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (var paths = Files.walk(directory)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
