package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** As {@link ManyRunsIT}, but every tenth launcher is killed at a moment nobody expects. */
class KilledRunsIT {
    private static final int RUNS = 200;
    private static final int VICTIMS = RUNS / 10;
    private static final long SEED = 4711;
    private static final String BRIEF = "setsid sleep 600 & sleep 0.05";
    private static final String ENDLESS = "setsid sleep 600 & sleep 600";

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
    void everybody_else_gets_in_one_at_a_time_and_nothing_of_the_killed_is_alive_by_then()
            throws IOException, SQLException {
        Section section = Section.in(homes.path("section"));
        QueueOrder order = QueueOrder.watchedBy(server);
        Victims victims = new Victims(new Random(SEED));
        Set<String> served = new HashSet<>();
        try (Crowd crowd = new Crowd("one", server, homes, launcher)) {
            for (int i = 1; i <= RUNS; i++) {
                String who = "run-" + i;
                served.add(who);
                crowd.join(who, "8s", section.visit(victims.insiders.contains(who) ? ENDLESS : BRIEF));
            }
            crowd.open();
            while (!victims.strike(crowd, section.read().entered())) {
                int before = section.read().entered().size();
                Running.await(
                        "the next one to come in",
                        () -> victims.strike(crowd, section.read().entered())
                                || section.read().entered().size() > before);
            }
            served.removeAll(victims.struck);

            Map<String, Running.Result> results = new HashMap<>(crowd.results());
            results.keySet().retainAll(served);
            assertThat(results.entrySet())
                    .allSatisfy(run ->
                            assertThat(run.getValue().status()).as("%s", run).isZero());
        }

        Journal journal = section.read();
        assertThat(journal.violations(victims.struck)).isEmpty();
        assertThat(journal.left()).containsAll(served);
        assertThat(victims.struck).containsAll(victims.insiders);
        assertThat(order.passedOver()).isZero();
        assertThat(order.outOfTurn()).isZero();
    }

    /** Half of them are killed while they are inside, the others when so many have been inside, wherever they are then. */
    private static final class Victims {
        final Set<String> insiders = new HashSet<>();
        final Set<String> struck = new HashSet<>();
        private final Map<String, Integer> moments = new HashMap<>();

        Victims(Random random) {
            while (insiders.size() < VICTIMS / 2) {
                insiders.add("run-" + (1 + random.nextInt(RUNS)));
            }
            while (moments.size() < VICTIMS - VICTIMS / 2) {
                int victim = 1 + random.nextInt(RUNS);
                if (!insiders.contains("run-" + victim)) {
                    moments.put("run-" + victim, random.nextInt(victim));
                }
            }
        }

        /** Whether it is over for all of them. */
        boolean strike(Crowd crowd, Set<String> entered) {
            for (String insider : insiders) {
                if (entered.contains(insider) && crowd.kill(insider)) {
                    struck.add(insider);
                }
            }
            moments.entrySet().removeIf(due -> {
                boolean come = entered.size() >= due.getValue();
                if (come && crowd.kill(due.getKey())) {
                    struck.add(due.getKey());
                }
                return come;
            });
            return moments.isEmpty() && struck.containsAll(insiders);
        }
    }
}
