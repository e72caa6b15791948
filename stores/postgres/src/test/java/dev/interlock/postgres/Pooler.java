package dev.interlock.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PgBouncer in transaction mode, as a child of this JVM. */
final class Pooler implements AutoCloseable {
    private static final Path BINARY = Path.of("/usr/sbin/pgbouncer");

    private final Path home;
    private final int port;
    private final Process process;

    private Pooler(Path home, int port, Process process) {
        this.home = home;
        this.port = port;
        this.process = process;
    }

    /** In front of that server, with few connections behind it, so that its clients share them. */
    static Pooler start(Server server) {
        ensureInstalled();
        try {
            Path home = Files.createTempDirectory("interlock-pooler-");
            Server.run(List.of("chmod", "777", home.toString()));
            int port = Server.freePort();
            Path settings = home.resolve("pgbouncer.ini");
            Files.writeString(settings, """
                    [databases]
                    * = host=127.0.0.1 port=%d user=postgres
                    [pgbouncer]
                    listen_addr = 127.0.0.1
                    listen_port = %d
                    unix_socket_dir =
                    auth_type = any
                    pool_mode = transaction
                    default_pool_size = 3
                    max_client_conn = 500
                    ignore_startup_parameters = extra_float_digits
                    server_round_robin = 1
                    """.formatted(server.port(), port));
            List<String> command = new ArrayList<>();
            if (isRoot()) {
                command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
            }
            command.addAll(List.of(BINARY.toString(), settings.toString()));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("log").toFile())
                    .start();
            Pooler pooler = new Pooler(home, port, process);
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            pooler.awaitReady(server);
            return pooler;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Where it cannot be had, a build that others rely on fails; elsewhere the tests are skipped, and say why. */
    private static void ensureInstalled() {
        String trouble = "PgBouncer is not installed, and only root can install it: apt-get install pgbouncer";
        if (!Files.exists(BINARY) && isRoot()) {
            try {
                Server.run(List.of("apt-get", "update"));
                Server.run(List.of("apt-get", "install", "-y", "--no-install-recommends", "pgbouncer"));
            } catch (IOException e) {
                trouble = "PgBouncer could not be installed: " + e.getMessage();
            }
        }
        if (!Files.exists(BINARY)) {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(trouble);
            }
            Assumptions.abort(trouble);
        }
    }

    private void awaitReady(Server server) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                inFrontOf(server.source("postgres")).getConnection().close();
                return;
            } catch (SQLException e) {
                if (System.nanoTime() > until || !process.isAlive()) {
                    throw new IllegalStateException("PgBouncer does not start; see " + home.resolve("log"), e);
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    /** The same database, by way of the pooler. */
    PGSimpleDataSource inFrontOf(PGSimpleDataSource database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(database.getServerNames());
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(database.getDatabaseName());
        source.setUser(database.getUser());
        source.setConnectTimeout(database.getConnectTimeout());
        return source;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
            Server.run(List.of("rm", "-rf", home.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
