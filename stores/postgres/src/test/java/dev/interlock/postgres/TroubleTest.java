package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.interlock.core.LockName;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import dev.interlock.core.system.SystemPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What a person reads when the database is not as it should be: one sentence, and what to do. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class TroubleTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static Server server;

    @BeforeAll
    static void startServer() throws IOException {
        server = Server.start(18);
        Server.execute(
                server.source("postgres"), "CREATE ROLE reader LOGIN", "CREATE ROLE keyholder LOGIN PASSWORD 'right'");
        Path rules = server.data().resolve("pg_hba.conf");
        Files.writeString(rules, "host all keyholder 127.0.0.1/32 scram-sha-256\n" + Files.readString(rules));
        Server.execute(server.source("postgres"), "SELECT pg_reload_conf()");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void nothing_listens() throws IOException {
        PGSimpleDataSource nowhere = server.source("postgres");
        nowhere.setPortNumbers(new int[] {Server.freePort()});

        assertTrouble(opening(nowhere), Kind.UNREACHABLE, "cannot be reached", "Check that it runs");
    }

    @Test
    void the_password_is_wrong() throws SQLException {
        PGSimpleDataSource source = server.source("postgres");
        source.setUser("keyholder");
        source.setPassword("wrong");
        // The new rule is in force once a connection without the password is refused.
        Session.awaitTrue(
                server.source("postgres"),
                "SELECT count(*) > 0 FROM pg_hba_file_rules WHERE auth_method = 'scram-sha-256'");

        StoreUnavailable trouble = opening(source);

        assertTrouble(trouble, Kind.FORBIDDEN, "refuses this user", "Check the user, its password");
        assertThat(trouble.getMessage()).doesNotContain("'wrong'");
    }

    @Test
    void the_database_does_not_exist() {
        assertTrouble(
                opening(server.source("nowhere")), Kind.MISCONFIGURED, "does not have this database", "\"nowhere\"");
    }

    @Test
    void the_schema_is_missing() {
        Server.execute(server.source("postgres"), "DROP DATABASE IF EXISTS bare", "CREATE DATABASE bare");

        assertTrouble(
                opening(server.source("bare")), Kind.MISCONFIGURED, "is not installed", "interlock store upgrade");
    }

    @Test
    void the_schema_is_newer_than_the_program() {
        PGSimpleDataSource database = server.database("newer");
        Server.execute(database, "UPDATE interlock.store SET schema_version = 99");

        assertTrouble(opening(database), Kind.TOO_NEW, "version 99", "Use a newer Interlock");
    }

    @Test
    void the_schema_is_older_than_the_program() {
        PGSimpleDataSource database = server.database("older");
        Server.execute(database, "UPDATE interlock.store SET schema_version = 0");

        assertTrouble(opening(database), Kind.MISCONFIGURED, "version 0", "interlock store upgrade");
    }

    @Test
    void the_role_has_no_rights() {
        PGSimpleDataSource database = server.database("foreign_rights");
        database.setUser("reader");

        assertTrouble(opening(database), Kind.FORBIDDEN, "permission denied for schema interlock", "its rights");
    }

    @Test
    void the_role_may_only_read() {
        PGSimpleDataSource database = server.database("reading_rights");
        Server.execute(
                database,
                "GRANT USAGE ON SCHEMA interlock TO reader",
                "GRANT SELECT ON ALL TABLES IN SCHEMA interlock TO reader");
        database.setUser("reader");

        assertTrouble(acquiring(database), Kind.FORBIDDEN, "permission denied", "its rights");
    }

    @Test
    void nothing_may_be_written() {
        PGSimpleDataSource database = server.database("read_only");
        Server.execute(database, "ALTER DATABASE read_only SET default_transaction_read_only = on");

        assertTrouble(acquiring(database), Kind.READ_ONLY, "read-only", "Connect to the primary");
    }

    @Test
    void commits_are_not_waited_for() {
        PGSimpleDataSource database = server.database("hasty");
        Server.execute(database, "ALTER DATABASE hasty SET synchronous_commit = off");

        assertTrouble(opening(database), Kind.MISCONFIGURED, "synchronous_commit off", "Switch both on");
    }

    @Test
    void the_server_does_not_write_to_disk() {
        try (Server careless = Server.start(18, "fsync=off")) {
            assertTrouble(opening(careless.database("careless")), Kind.MISCONFIGURED, "fsync", "Switch both on");
        }
    }

    @Test
    void every_connection_is_taken() throws SQLException {
        PGSimpleDataSource database = server.database("crowded");
        List<Connection> crowd = new ArrayList<>();
        try {
            StoreUnavailable trouble = null;
            for (int number = 0; number < 400 && trouble == null; number++) {
                try {
                    crowd.add(database.getConnection());
                } catch (SQLException e) {
                    trouble = opening(database);
                }
            }
            assertTrouble(trouble, Kind.BUSY, "too many clients", "Try again in a moment");
        } finally {
            for (Connection one : crowd) {
                one.close();
            }
        }
    }

    @Test
    void the_disk_is_full() throws IOException {
        Path disk = Files.createTempDirectory("interlock-disk-");
        mount(disk);
        try (Server full = Server.start(18)) {
            Path files = disk.resolve("files");
            Server.run(List.of("mkdir", "-m", "777", files.toString()));
            Server.run(List.of("chown", "65534:65534", files.toString()));
            Server.execute(
                    full.source("postgres"),
                    "CREATE TABLESPACE small LOCATION '" + files + "'",
                    "CREATE DATABASE crammed TABLESPACE small");
            PGSimpleDataSource database = full.source("crammed");
            PostgresSchema.migrate(database);
            try (PostgresLockStore store = PostgresLockStore.open(database, SystemPorts.create())) {
                Path filler = disk.resolve("filler");
                new ProcessBuilder("dd", "if=/dev/zero", "of=" + filler, "bs=64k")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .onExit()
                        .join();

                StoreUnavailable trouble = catchThrowableOfType(StoreUnavailable.class, () -> {
                    for (int number = 0; number < 100_000; number++) {
                        acquire(store, "lock/" + number);
                    }
                });

                assertTrouble(trouble, Kind.READ_ONLY, "disk is full", "no restart is needed");
                Files.delete(filler);
                acquire(store, "after all");
            }
        } finally {
            Server.run(List.of("umount", "-l", disk.toString()));
            Files.delete(disk);
        }
    }

    private static void mount(Path disk) {
        try {
            Server.run(List.of("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk.toString()));
        } catch (IOException e) {
            String trouble = "A full disk cannot be tried without the right to mount one: " + e.getMessage();
            if ("true".equals(System.getenv("CI")) && "root".equals(System.getProperty("user.name"))) {
                Assertions.fail(trouble);
            }
            Assumptions.abort(trouble);
        }
    }

    private static StoreUnavailable opening(PGSimpleDataSource source) {
        return catchThrowableOfType(
                StoreUnavailable.class,
                () -> PostgresLockStore.open(source, SystemPorts.create()).close());
    }

    private static StoreUnavailable acquiring(PGSimpleDataSource source) {
        return catchThrowableOfType(StoreUnavailable.class, () -> {
            try (PostgresLockStore store = PostgresLockStore.open(source, SystemPorts.create())) {
                acquire(store, "anything");
            }
        });
    }

    private static void acquire(PostgresLockStore store, String name) {
        Asker.granted(store.acquire(Asker.named("alice", LEASE).asks(LockName.of(name))));
    }

    private static void assertTrouble(StoreUnavailable trouble, Kind kind, String what, String whatNow) {
        assertThat(trouble).isNotNull();
        assertThat(trouble.getMessage())
                .contains(what)
                .contains(whatNow)
                .doesNotContain("\n")
                .doesNotContain("Exception")
                .doesNotContain("ERROR")
                .doesNotContain("FATAL");
        assertThat(trouble.kind()).isEqualTo(kind);
    }
}
