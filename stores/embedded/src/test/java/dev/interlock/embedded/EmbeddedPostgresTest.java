package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EmbeddedPostgresTest {
    @RegisterExtension
    final Homes homes = new Homes();

    @Test
    void the_first_call_makes_a_store_and_the_next_one_joins_it() throws Exception {
        Path home = homes.none();
        List<String> progress = new ArrayList<>();

        Address first = new EmbeddedPostgres(home, progress::add).address();
        Address second = new EmbeddedPostgres(home, progress::add).address();

        assertThat(second).isEqualTo(first);
        assertThat(progress)
                .containsExactly(
                        "Unpacking PostgreSQL 18.6 (once)…",
                        "Creating the store in " + Homes.data(home) + "…",
                        "Starting PostgreSQL 18.6…");
        Sql.keep(second, "it works");
        assertThat(Sql.kept(first)).containsExactly("it works");
    }

    @Test
    void status_tells_of_a_store_absent_running_and_stopped() throws Exception {
        Path none = homes.none();
        assertThat(Homes.store(none).status()).isEqualTo(new Status.Absent(none));
        assertThat(none).doesNotExist();

        Path home = homes.stocked();
        Path data = Homes.data(home);
        Address address = Homes.store(home).address();
        Status.Running running = Homes.running(home);
        assertThat(running.port()).isEqualTo(address.port());
        assertThat(running.version()).isEqualTo(EmbeddedPostgres.shippedVersion());
        assertThat(running.data()).isEqualTo(data);
        assertThat(running.bytes()).isGreaterThan(10_000_000);
        assertThat(running.log()).content().contains("ready to accept connections");
        assertThat(OsProcess.serves(running.pid(), data)).isTrue();

        Homes.store(home).stop();
        assertThat(Homes.store(home).status())
                .isEqualTo(new Status.Stopped("18", data, Disk.size(data), running.log()));
    }

    @Test
    void stop_ends_the_server_and_says_when_there_is_none() throws Exception {
        Path home = homes.stocked();
        Homes.store(home).address();
        long pid = Homes.running(home).pid();

        assertThat(Homes.store(home).stop()).isEqualTo(new Stop.Clean(pid));
        assertThat(OsProcess.isAlive(pid)).isFalse();
        assertThat(Homes.store(home).stop()).isEqualTo(new Stop.NotRunning());
    }

    @Test
    void stop_does_not_wait_for_clients() throws Exception {
        Path home = homes.stocked();
        try (var client = Sql.connect(Homes.store(home).address())) {
            assertThat(client.isValid(1)).isTrue();
            assertThat(Homes.store(home).stop()).isInstanceOf(Stop.Clean.class);
        }
    }

    @Test
    void what_was_committed_is_there_after_a_stop() throws Exception {
        Path home = homes.stocked();
        Sql.keep(Homes.store(home).address(), "kept");

        Homes.store(home).stop();

        assertThat(Sql.kept(Homes.store(home).address())).containsExactly("kept");
    }

    @Test
    void commits_are_durable_and_settings_of_the_owner_win() throws Exception {
        Path home = homes.stocked();
        Files.writeString(home.resolve("postgresql.conf"), "max_connections = 123\n");

        Address address = Homes.store(home).address();

        assertThat(Sql.show(address, "fsync")).isEqualTo("on");
        assertThat(Sql.show(address, "synchronous_commit")).isEqualTo("on");
        assertThat(Sql.show(address, "full_page_writes")).isEqualTo("on");
        assertThat(Sql.show(address, "listen_addresses")).isEqualTo("127.0.0.1");
        assertThat(Sql.show(address, "max_connections")).isEqualTo("123");
    }

    @Test
    void secrets_are_for_the_owner_alone() throws Exception {
        Path home = homes.stocked();
        Address address = Homes.store(home).address();

        assertThat(mode(home.resolve("password"))).isEqualTo("rw-------");
        assertThat(mode(home.resolve("store.state"))).isEqualTo("rw-------");
        assertThat(mode(Homes.data(home))).isEqualTo("rwx------");
        assertThat(mode(home.resolve("log"))).isEqualTo("rwx------");
        assertThat(address.toString()).doesNotContain(address.password());
        assertThat(address.password()).hasSize(64);
    }

    @Test
    void nobody_gets_in_without_the_password_and_the_superuser_not_at_all() throws Exception {
        Address address = Homes.store(homes.stocked()).address();

        assertRefused(() -> Sql.connect(new Address(address.port(), "guess")));
        assertRefused(() -> DriverManager.getConnection(address.jdbcUrl(), "postgres", ""));
        assertRefused(() -> DriverManager.getConnection(address.jdbcUrl(), "postgres", address.password()));
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable login) {
        assertThatThrownBy(login).isInstanceOf(SQLException.class);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
