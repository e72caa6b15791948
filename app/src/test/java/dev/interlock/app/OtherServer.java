package dev.interlock.app;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A PostgreSQL of somebody else's, with an administrator, from the binaries that the store on this machine unpacked. */
final class OtherServer {
    static final String ADMIN = "admin";
    static final String PASSWORD = "canary-admin";

    private final Path directory;
    private final int port;
    private final Process process;

    private OtherServer(Path directory, int port, Process process) {
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    static OtherServer start(Path homeOfBinaries) throws IOException, InterruptedException {
        Path binaries = binaries(homeOfBinaries);
        Path data = Files.createTempDirectory("interlock-other");
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path password = Files.writeString(data.resolve("password"), PASSWORD + "\n");
        Path cluster = data.resolve("data");
        Process initdb = unprivileged(List.of(
                        binaries.resolve("initdb").toString(),
                        "--pgdata=" + cluster,
                        "--username=" + ADMIN,
                        "--pwfile=" + password,
                        "--auth=scram-sha-256",
                        "--no-sync"))
                .start();
        if (initdb.waitFor() != 0) {
            throw new IOException("initdb failed");
        }
        int port = freePort();
        Process server = unprivileged(List.of(
                        binaries.resolve("postgres").toString(),
                        "-D",
                        cluster.toString(),
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories="))
                .start();
        OtherServer other = new OtherServer(data, port, server);
        other.awaitReady();
        return other;
    }

    private static Path binaries(Path home) throws IOException {
        try (Stream<Path> versions = Files.list(home.resolve("postgres"))) {
            return versions.filter(Files::isDirectory).findFirst().orElseThrow().resolve("bin");
        }
    }

    /** PostgreSQL does not run as root. */
    private static ProcessBuilder unprivileged(List<String> command) {
        List<String> words = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            words.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"));
        }
        words.addAll(command);
        return new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        for (int i = 0; i < 600; i++) {
            try {
                execute("postgres", "SELECT 1");
                return;
            } catch (SQLException notYet) {
                Thread.sleep(50);
            }
        }
        throw new IOException("the server does not answer");
    }

    String address(String user, String database) {
        return "postgres://" + user + "@127.0.0.1:" + port + "/" + database;
    }

    void execute(String database, String... statements) throws SQLException {
        try (Connection connection = Database.at(
                                StoreAddress.parse(address(ADMIN, database)),
                                Map.of("PGPASSWORD", PASSWORD),
                                notice -> {})
                        .getConnection();
                Statement sql = connection.createStatement()) {
            for (String statement : statements) {
                sql.execute(statement);
            }
        }
    }

    void stop() throws IOException, InterruptedException {
        process.destroy();
        process.waitFor();
        delete(directory);
    }

    static void delete(Path tree) throws IOException {
        List<Path> paths;
        try (Stream<Path> all = Files.walk(tree)) {
            paths = all.toList();
        }
        for (Path path : paths.reversed()) {
            Files.delete(path);
        }
    }
}
