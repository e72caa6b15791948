package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many at once. */
class ContentionTest {
    private static final int PROCESSES = 8;
    private static final int THREADS = 4;

    @RegisterExtension
    final Homes homes = new Homes();

    @Test
    void any_number_of_starters_agree_on_one_server() throws Exception {
        Path home = homes.none();
        List<Starter> starters = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            starters.add(Starter.withThreads(home, THREADS));
        }

        List<String> answers = new ArrayList<>();
        List<String> progress = new ArrayList<>();
        for (Starter starter : starters) {
            starter.lines().forEach(line -> (line.endsWith("…") ? progress : answers).add(line));
        }

        String address = "address " + Homes.store(home).address().port();
        assertThat(answers).hasSize(PROCESSES * THREADS).containsOnly(address);
        assertThat(progress).hasSize(3).doesNotHaveDuplicates();
        assertThat(Processes.serving(Homes.data(home))).hasSize(1);
    }

    @Test
    void starters_after_a_crash_agree_too() throws Exception {
        Path home = homes.stocked();
        Homes.store(home).address();
        Processes.kill(Homes.running(home).pid());

        List<Starter> starters = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            starters.add(Starter.withThreads(home, THREADS));
        }
        List<String> answers = new ArrayList<>();
        for (Starter starter : starters) {
            starter.lines().stream().filter(line -> !line.endsWith("…")).forEach(answers::add);
        }

        String address = "address " + Homes.store(home).address().port();
        assertThat(answers).hasSize(PROCESSES * THREADS).containsOnly(address);
        assertThat(Processes.serving(Homes.data(home))).hasSize(1);
    }

    @Test
    void waiting_for_another_ends_with_its_process_id() throws Exception {
        Path home = homes.bare();
        Patience none = new Patience(Duration.ZERO, Duration.ZERO, Duration.ZERO);

        try (StartLock held = StartLock.tryTake(home.toRealPath().resolve("start.lock"))) {
            assertThat(held).isNotNull();
            assertThatThrownBy(() -> new EmbeddedPostgres(home, none, line -> {}).address())
                    .isInstanceOf(EmbeddedUnavailable.class)
                    .hasMessageStartingWith("Process " + ProcessHandle.current().pid() + " ")
                    .hasMessageContaining(home.toString());
        }
        assertThat(Files.exists(Homes.data(home))).isFalse();
    }

    @Test
    void two_hundred_clients_at_once_are_let_in() throws Exception {
        Address address = Homes.store(homes.stocked()).address();
        List<AutoCloseable> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                clients.add(Sql.connect(address));
            }
            assertThat(clients).hasSize(200);
        } finally {
            for (AutoCloseable client : clients) {
                client.close();
            }
        }
    }
}
