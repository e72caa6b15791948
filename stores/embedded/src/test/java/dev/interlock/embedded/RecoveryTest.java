package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After the death of anything, the next call puts it right. */
class RecoveryTest {
    @RegisterExtension
    final Homes homes = new Homes();

    @Test
    void a_killed_server_comes_back_where_it_was_with_all_that_was_committed() throws Exception {
        Path home = homes.stocked();
        Address before = Homes.store(home).address();
        Sql.keep(before, "one", "two", "three");
        Processes.kill(Homes.running(home).pid());

        Address after = Homes.store(home).address();

        assertThat(after).isEqualTo(before);
        assertThat(Sql.kept(after)).containsExactly("one", "two", "three");
    }

    @Test
    void whoever_finds_it_gone_recovers_it() throws Exception {
        Path home = homes.stocked();
        EmbeddedPostgres store = Homes.store(home);
        Address before = store.address();
        Processes.kill(Homes.running(home).pid());
        assertThatThrownBy(() -> Sql.connect(before)).isInstanceOf(SQLException.class);

        assertThat(Sql.connect(store.recover(before)).isValid(1)).isTrue();
    }

    @Test
    void a_server_that_answers_is_left_alone() throws Exception {
        Path home = homes.stocked();
        Address address = Homes.store(home).address();
        Status.Running before = Homes.running(home);

        assertThat(Homes.store(home).recover(address)).isEqualTo(address);
        assertThat(Homes.running(home).pid()).isEqualTo(before.pid());
    }

    @Test
    void a_server_that_is_stopping_is_awaited_and_followed_by_another() throws Exception {
        Path home = homes.stocked();
        Address before = Homes.store(home).address();
        long pid = Homes.running(home).pid();
        Homes.run("/bin/sh", "-c", "kill -s INT " + pid);

        Address after = Homes.store(home).recover(before);

        assertThat(Sql.connect(after).isValid(1)).isTrue();
        assertThat(Homes.running(home).pid()).isNotEqualTo(pid);
    }

    @Test
    void a_server_that_waits_for_its_clients_to_leave_is_hurried() throws Exception {
        Path home = homes.stocked();
        Address before = Homes.store(home).address();
        long pid = Homes.running(home).pid();
        try (var client = Sql.connect(before)) {
            assertThat(client.isValid(1)).isTrue();
            Homes.run("/bin/sh", "-c", "kill -s TERM " + pid);
            Wait.atMost(Duration.ofSeconds(10))
                    .until(() -> Postmaster.of(Homes.data(home)).orElseThrow().isStopping());

            assertThat(Sql.connect(Homes.store(home).recover(before)).isValid(1))
                    .isTrue();
        }
        assertThat(Homes.running(home).pid()).isNotEqualTo(pid);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Unpacking", "Creating", "Starting"})
    void a_starter_killed_in_the_middle_leaves_nothing_behind(String moment) throws Exception {
        Path home = moment.equals("Unpacking") ? homes.none() : homes.bare();
        Starter starter = Starter.at(home);
        assertThat(starter.line(moment)).startsWith(moment);
        starter.process().destroyForcibly().waitFor();

        Address address = Homes.store(home).address();

        Sql.keep(address, "alive");
        assertThat(new Home(home.toRealPath()).partials()).isEmpty();
        assertThat(Processes.serving(Homes.data(home))).hasSize(1);
    }

    @Test
    void a_server_whose_address_nobody_wrote_down_is_found_again() throws Exception {
        Path home = homes.stocked();
        Address address = Homes.store(home).address();
        long pid = Homes.running(home).pid();
        Files.delete(home.resolve("store.state"));

        assertThat(Homes.store(home).address()).isEqualTo(address);
        assertThat(Homes.running(home).pid()).isEqualTo(pid);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "port=none", "port=5432\npid=1\n"})
    void a_damaged_state_is_no_state(String text) throws Exception {
        Path home = homes.stocked();
        Address address = Homes.store(home).address();
        Files.writeString(home.resolve("store.state"), text);

        assertThat(Homes.store(home).address()).isEqualTo(address);
    }

    @Test
    void after_a_reboot_the_process_of_another_is_not_taken_for_the_server() throws Exception {
        Path home = homes.stocked();
        Homes.store(home).address();
        long pid = Homes.running(home).pid();
        Process foreign = asServer(home, "exec sleep 600").start();
        try {
            Processes.kill(pid);
            leaveBehind(home, pid, foreign.pid());

            assertThat(Sql.connect(Homes.store(home).address()).isValid(1)).isTrue();
            assertThat(foreign.isAlive()).isTrue();
        } finally {
            foreign.destroyForcibly().waitFor();
        }
    }

    @Test
    void whoever_finds_another_in_its_place_recovers_it() throws Exception {
        Path home = homes.stocked();
        Address before = Homes.store(home).address();
        Processes.kill(Homes.running(home).pid());
        Path state = home.resolve("store.state");
        long self = ProcessHandle.current().pid();
        Files.writeString(
                state,
                Files.readString(state)
                        .replaceFirst("pid=.*", "pid=" + self)
                        .replaceFirst("started=.*", "started=" + OsProcess.startOf(self)));
        assertThat(Homes.store(home).address()).isEqualTo(before);

        assertThat(Sql.connect(Homes.store(home).recover(before)).isValid(1)).isTrue();
    }

    @Test
    void a_zombie_is_dead() throws Exception {
        Path home = homes.stocked();
        Homes.store(home).address();
        long pid = Homes.running(home).pid();
        // The child ends when its parent has become a program that does not look after children.
        String child = "sh -c 'while ! grep -q sleep /proc/$PPID/comm; do :; done'";
        Process negligent = asServer(home, child + " & echo $!; exec sleep 600").start();
        try (var output = negligent.inputReader()) {
            long zombie = Long.parseLong(output.readLine());
            Path stat = Path.of("/proc", Long.toString(zombie), "stat");
            assumeTrue(Files.exists(stat), "zombies are told apart in /proc, which is not here");
            Wait.atMost(Duration.ofSeconds(10))
                    .until(() -> Files.readString(stat).contains(") Z "));
            Processes.kill(pid);
            leaveBehind(home, pid, zombie);

            assertThat(Sql.connect(Homes.store(home).address()).isValid(1)).isTrue();
            assertThat(Files.readString(stat)).contains(") Z ");
        } finally {
            negligent.destroyForcibly().waitFor();
        }
    }

    @Test
    void an_empty_pid_file_is_a_leftover() throws Exception {
        Path home = homes.stocked();
        Homes.store(home).address();
        Processes.kill(Homes.running(home).pid());
        Files.writeString(Homes.data(home).resolve("postmaster.pid"), "");

        assertThat(Sql.connect(Homes.store(home).address()).isValid(1)).isTrue();
    }

    @Test
    void another_port_is_chosen_when_somebody_took_the_last_one() throws Exception {
        Path home = homes.stocked();
        Address before = Homes.store(home).address();
        Processes.kill(Homes.running(home).pid());

        try (ServerSocket thief = new ServerSocket(before.port(), 1, InetAddress.getLoopbackAddress())) {
            Address after = Homes.store(home).address();
            assertThat(after.port()).isNotEqualTo(thief.getLocalPort());
            assertThat(Sql.connect(after).isValid(1)).isTrue();
        }
    }

    @Test
    void a_lost_password_is_replaced() throws Exception {
        Path home = homes.stocked();
        Address before = Homes.store(home).address();
        Sql.keep(before, "kept");
        Files.delete(home.resolve("password"));
        Files.delete(home.resolve("store.state"));

        Address after = Homes.store(home).address();

        assertThat(after.password()).isNotEqualTo(before.password());
        assertThat(Sql.kept(after)).containsExactly("kept");
    }

    @Test
    void a_home_can_be_moved_while_it_is_stopped() throws Exception {
        Path home = homes.stocked();
        Sql.keep(Homes.store(home).address(), "moved");
        Homes.store(home).stop();
        Path elsewhere = homes.none();
        Files.move(home, elsewhere);

        assertThat(Sql.kept(Homes.store(elsewhere).address())).containsExactly("moved");
    }

    @Test
    void old_and_large_logs_are_thrown_away() throws Exception {
        Path home = homes.stocked();
        ServerLog log = new Home(home.toRealPath()).log();
        Files.createDirectory(log.directory());
        Path old = Files.createFile(log.directory().resolve("postgres-Old.log"));
        Files.setLastModifiedTime(old, FileTime.fromMillis(0));
        Path large = log.directory().resolve("postgres-Big.log");
        Files.write(large, new byte[11 << 20]);

        Homes.store(home).address();

        assertThat(old).doesNotExist();
        assertThat(large).doesNotExist();
        assertThat(log.current()).exists();
    }

    /** A process of the same user as the server, so that PostgreSQL, asking whether it is there, hears yes. */
    private static ProcessBuilder asServer(Path home, String script) throws IOException {
        List<String> command = new ArrayList<>(Account.of(home.toRealPath()).command(List.of("/bin/sh", "-c", script)));
        return Command.prepare(Path.of("/"), command);
    }

    /** The files of a server that ended with its machine, as they look when its process id was given out again. */
    private static void leaveBehind(Path home, long pid, long successor) throws IOException {
        Path pidFile = Homes.data(home).resolve("postmaster.pid");
        Files.writeString(pidFile, Files.readString(pidFile).replaceFirst("^" + pid + "\n", successor + "\n"));
        Path state = home.resolve("store.state");
        Files.writeString(state, Files.readString(state).replaceFirst("pid=.*", "pid=" + successor));
    }
}
