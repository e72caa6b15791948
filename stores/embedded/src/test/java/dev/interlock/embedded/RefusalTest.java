package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What cannot be had is told in one sentence: what, where, what to do next. */
class RefusalTest {
    private static final String[] AS_NOBODY = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};

    @RegisterExtension
    final Homes homes = new Homes();

    @Test
    void data_of_an_older_version_asks_for_an_upgrade() throws Exception {
        Path home = homes.bare();
        Path data = Files.createDirectories(home.toRealPath().resolve("data/17"));
        Files.writeString(data.resolve("PG_VERSION"), "17\n");

        assertRefused(home)
                .hasMessage("The data directory " + data + " was made by PostgreSQL 17, this Interlock ships 18;"
                        + " run: interlock store upgrade.");
        assertThat(Homes.data(home)).doesNotExist();
    }

    @Test
    void data_of_a_newer_version_asks_for_the_newer_interlock_even_beside_older_data() throws Exception {
        Path home = homes.stocked();
        Path data = Files.createDirectories(home.toRealPath().resolve("data/99"));
        Files.writeString(data.resolve("PG_VERSION"), "99\n");

        assertRefused(home)
                .hasMessage("The data directory " + data + " was made by PostgreSQL 99, this Interlock ships 18;"
                        + " use the newer Interlock that made it.");
    }

    @Test
    void data_that_contradicts_its_name_is_damaged() throws Exception {
        Path home = homes.stocked();
        Files.writeString(Homes.data(home).resolve("PG_VERSION"), "17\n");

        assertRefused(home).hasMessageContaining("its PG_VERSION says 17").hasMessageContaining("backup");
    }

    @Test
    void a_home_that_cannot_be_written_asks_for_another() throws Exception {
        Path home = homes.none();
        if (Account.isRoot()) {
            assertThat(Starter.readableByAll(home, AS_NOBODY).lines())
                    .singleElement()
                    .asString()
                    .startsWith("refused Cannot use " + home)
                    .endsWith("set INTERLOCK_HOME to one.");
        } else {
            Disk.chmod(Disk.parentOf(home), "r-xr-xr-x");
            assertRefused(home).hasMessageContaining("set INTERLOCK_HOME to one.");
            Disk.chmod(Disk.parentOf(home), "rwxr-xr-x");
        }
    }

    @Test
    void a_home_that_is_a_file_asks_for_another() throws Exception {
        Path file = homes.none();
        Files.writeString(file, "");

        assertRefused(file).hasMessageStartingWith("Cannot use " + file + " for the store (not a directory: ");
        Files.delete(file);
    }

    @Test
    void a_platform_without_binaries_is_named() throws Exception {
        assertThat(Starter.readableByAll(homes.none()).lines())
                .last()
                .asString()
                .startsWith("refused This Interlock carries no PostgreSQL for " + System.getProperty("os.name"))
                .contains("--store postgres://");
    }

    @Test
    void a_server_that_cannot_start_is_quoted() throws Exception {
        Path home = homes.stocked();
        Files.writeString(home.resolve("postgresql.conf"), "max_connections = many\n");

        assertRefused(home)
                .hasMessageStartingWith("Starting PostgreSQL on " + Homes.data(home) + " failed; it said: ")
                .hasMessageContaining("invalid value for parameter \"max_connections\": \"many\"");
    }

    @Test
    void a_server_that_is_not_ready_in_time_is_quoted() throws Exception {
        Path home = homes.stocked();
        Address address = Homes.store(home).address();
        long pid = Homes.running(home).pid();
        Patience little = new Patience(Duration.ofSeconds(10), Duration.ofMillis(50), Duration.ofSeconds(10));
        Homes.run("/bin/sh", "-c", "kill -s STOP " + pid);
        try {
            assertThatThrownBy(() -> new EmbeddedPostgres(home, little, line -> {}).recover(address))
                    .isInstanceOf(EmbeddedUnavailable.class)
                    .hasMessageStartingWith("PostgreSQL on " + Homes.data(home) + " was not ready after ")
                    .hasMessageContaining("ready to accept connections");
        } finally {
            Homes.run("/bin/sh", "-c", "kill -s CONT " + pid);
        }
    }

    @Test
    void a_server_in_another_container_is_respected() throws Exception {
        String[] elsewhere = {"unshare", "--pid", "--ipc", "--fork", "--mount-proc"};
        assumeRoot("only root can play another container here");
        Path home = homes.stocked();
        Homes.store(home).address();
        Sql.keep(Homes.store(home).address(), "safe");

        assertThat(Starter.at(home, elsewhere).lines())
                .hasSize(2)
                .last()
                .asString()
                .contains("cannot be seen from here");

        assertThat(Processes.serving(Homes.data(home))).hasSize(1);
        assertThat(Sql.kept(Homes.store(home).address())).containsExactly("safe");
    }

    @Test
    void a_disk_too_small_for_the_binaries_is_called_full() throws Exception {
        try (SmallDisk disk = new SmallDisk(homes.none(), "10m")) {
            assertRefused(disk.path).hasMessage(full(disk.path));
            assertThat(new Home(disk.path).partials()).isEmpty();
        }
    }

    @Test
    void a_disk_too_small_for_the_data_is_called_full() throws Exception {
        try (SmallDisk disk = new SmallDisk(homes.none(), "10m")) {
            Files.createSymbolicLink(
                    disk.path.resolve("postgres"),
                    homes.bare().resolve("postgres").toRealPath());
            assertRefused(disk.path).hasMessage(full(disk.path));
            assertThat(new Home(disk.path).partials()).isEmpty();
        }
    }

    @Test
    void a_disk_that_filled_up_is_called_full_and_works_again_when_there_is_room() throws Exception {
        try (SmallDisk disk = new SmallDisk(homes.none(), "120m")) {
            Files.createSymbolicLink(
                    disk.path.resolve("postgres"),
                    homes.bare().resolve("postgres").toRealPath());
            Sql.keep(Homes.store(disk.path).address(), "kept");
            Homes.store(disk.path).stop();
            Path ballast = disk.fill();

            assertRefused(disk.path).hasMessage(full(disk.path));

            Files.delete(ballast);
            assertThat(Sql.kept(Homes.store(disk.path).address())).containsExactly("kept");
        }
    }

    @Test
    void binaries_that_do_not_run_are_told_from_data_that_is_broken() throws Exception {
        try (SmallDisk disk = new SmallDisk(homes.none(), "200m,noexec")) {
            Homes.run("cp", "-a", homes.bare().resolve("postgres").toRealPath().toString(), disk.path.toString());
            assertRefused(disk.path)
                    .hasMessageStartingWith("The PostgreSQL that Interlock carries does not run in " + disk.path)
                    .hasMessageContaining("noexec");
        }
    }

    private static String full(Path home) {
        return "No space is left on the disk of " + home + "; free some, then run the command again.";
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Path home) {
        return assertThatThrownBy(() -> Homes.store(home).address()).isInstanceOf(EmbeddedUnavailable.class);
    }

    private static void assumeRoot(String reason) {
        assumeTrue(Account.isRoot(), reason);
    }

    /** A file system of its own, in memory. */
    private static final class SmallDisk implements AutoCloseable {
        final Path path;

        SmallDisk(Path home, String size) throws IOException {
            assumeRoot("only root can mount a small disk");
            Files.createDirectories(home);
            Homes.run("mount", "-t", "tmpfs", "-o", "mode=711,size=" + size, "tmpfs", home.toString());
            this.path = home.toRealPath();
        }

        Path fill() throws IOException {
            Path ballast = path.resolve("ballast");
            Command.run(path, List.of("dd", "if=/dev/zero", "of=" + ballast, "bs=64k"));
            return ballast;
        }

        @Override
        public void close() throws IOException {
            Homes.store(path).stop();
            Homes.run("umount", path.toString());
        }
    }
}
