package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A command that kills every worker that runs it. */
class PoisonIT {
    private static final int ATTEMPTS = 2;
    private static final String DECLARATIONS = """
            workflows:
              poison:
                command: [sh, -c, 'kill -KILL $PPID; sleep 600']
                lease: 5s
                retry: {attempts: %1$s, first: 1s, longest: 1s, afterLoss: true}
              wholesome:
                command: ['true']
                lease: 5s
                retry: {attempts: 3, first: 1s, longest: 1s, afterLoss: true}
            """.formatted(ATTEMPTS);

    private static Workforce force;
    private static Running janitor;

    @BeforeAll
    static void startStore() throws IOException, SQLException {
        force = Workforce.declaring(DECLARATIONS);
        force.say("workflows", "apply", force.declarations().toString());
        janitor = force.cli().start("janitor");
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException, SQLException {
        janitor.process().destroyForcibly();
        force.close();
    }

    @Test
    void what_kills_its_workers_is_a_dead_letter_after_the_declared_attempts_and_all_others_go_on() {
        String poison = force.submit("poison", "well", List.of());
        List<String> others = new ArrayList<>();
        for (int crash = 1; crash <= ATTEMPTS; crash++) {
            Running victim = force.hire("--no-janitor");
            others.add(force.submit("wholesome", "spring-" + crash, List.of()));
            assertThat(victim.result().status()).isEqualTo(128 + 9);
        }
        Running survivor = force.hire("--no-janitor");
        others.add(force.submit("wholesome", "spring", List.of()));

        force.awaitPhase(poison, "FAILED");
        others.forEach(other -> force.awaitPhase(other, "COMPLETED"));

        assertThat(survivor.process().isAlive()).isTrue();
        assertThat(force.say("dead", "list").out()).contains(poison, "WORKER_TIMEOUT");
        assertThat(Trail.of(force.server(), "well").violations()).isEmpty();
        assertThat(Trail.of(force.server(), "well").all("EXPIRED")).hasSize(ATTEMPTS);
        String next = force.submit("wholesome", "well", List.of());
        force.awaitPhase(next, "COMPLETED");
    }
}
