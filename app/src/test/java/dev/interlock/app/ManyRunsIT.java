package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two hundred CI jobs on many machines want the same thing at once. */
class ManyRunsIT {
    private static final int RUNS = 200;

    private static Homes homes;
    private static Server server;
    private static Path launcher;

    @BeforeAll
    static void startStore() throws IOException {
        homes = new Homes();
        server = Server.roomy(homes.path("server"));
        launcher = homes.distribution("distribution").resolve("bin/interlock");
        Homes.run(launcher.toString(), "--make-cache");
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException {
        homes.close();
    }

    @Test
    void all_get_in_one_at_a_time_in_the_order_of_the_queue_with_rising_tokens() throws IOException, SQLException {
        Section section = Section.in(homes.path("section"));
        QueueOrder order = QueueOrder.watchedBy(server);
        Set<String> everybody = new HashSet<>();
        try (Crowd crowd = new Crowd("one", server, homes, launcher)) {
            for (int i = 1; i <= RUNS; i++) {
                everybody.add("run-" + i);
                crowd.join("run-" + i, "60s", section.visit("sleep 0.02"));
            }
            crowd.open();

            assertThat(crowd.results().entrySet())
                    .allSatisfy(run ->
                            assertThat(run.getValue().status()).as("%s", run).isZero());
        }

        Journal journal = section.read();
        assertThat(journal.violations(Set.of())).isEmpty();
        assertThat(journal.lines()).hasSize(2 * RUNS);
        assertThat(journal.left()).isEqualTo(everybody);
        assertThat(order.handedOver()).isPositive();
        assertThat(order.passedOver()).isZero();
        assertThat(order.outOfTurn()).isZero();
    }
}
