package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.LockName;
import dev.interlock.core.Ports;
import dev.interlock.core.execution.Request;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.WorkStores;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Several janitors close what a dead worker has left, and are killed while they do. */
class JanitorsIT {
    private static final int LOST = 200;
    private static final int KILLS = 3;
    private static final long SEED = 4711;
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final String DECLARATIONS = """
            workflows:
              again:
                retry: {attempts: 3, first: 1h, longest: 1h, afterLoss: true}
            lifecycles:
              thing:
                states: [NEW, BUSY, GOOD, BAD]
                initial: NEW
                workflows:
                  MAKE: {from: [NEW, BAD], during: BUSY, onSuccess: GOOD, onFailure: BAD, retry: none}
            """;

    /** Far slower than any disk, so that whoever is killed is killed within an act. */
    private static final String SLOWLY = """
            CREATE FUNCTION public.slowly() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END';
            CREATE TRIGGER slowly BEFORE INSERT ON interlock.history FOR EACH ROW
                WHEN (NEW.event = 'EXPIRED') EXECUTE FUNCTION public.slowly()""";

    private static final String CLOSED = "SELECT count(*) FROM interlock.execution WHERE phase <> 'RUNNING'";

    /** Longer ago than the brake would hold them back. */
    private static final String AGE = """
            UPDATE interlock.lease SET renewed_at = renewed_at - interval '10 minutes', expires_at = expires_at - interval '10 minutes'
             WHERE owner = 'dead:1:aa'""";

    /** All that closing an attempt means, or the name of what has not all of it. */
    private static final String HALF_DONE = """
            SELECT x.target FROM interlock.execution x
              JOIN interlock.lock l ON l.name = x.target
              LEFT JOIN interlock.resource r ON r.target = x.target
             WHERE (NOT l.held
                    AND (SELECT count(*) FROM interlock.history h
                          WHERE h.execution = x.id AND h.token = x.token AND h.event = 'EXPIRED' AND h.phase = x.phase) = 1
                    AND jsonb_array_length(x.attempts) = 1
                    AND x.attempts -> 0 -> 'failure' ->> 'code' = 'WORKER_TIMEOUT'
                    AND CASE WHEN r.target IS NULL THEN x.phase = 'PENDING' AND x.turn = 'TIMED' AND x.dead_at IS NULL
                             ELSE x.phase = 'FAILED' AND x.dead_at IS NOT NULL AND r.state = 'BAD' AND r.under IS NULL END)
                   IS NOT TRUE""";

    private static Workforce force;

    private final List<Running> janitors = new ArrayList<>();

    @BeforeAll
    static void startStore() throws IOException, SQLException {
        force = Workforce.declaring(DECLARATIONS);
        force.say("workflows", "apply", force.declarations().toString());
        force.server().execute(SLOWLY);
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException, SQLException {
        force.close();
    }

    @AfterEach
    void endWhatWasStarted() {
        janitors.forEach(janitor -> janitor.process().destroyForcibly());
    }

    /** A worker that takes all and is never heard of again. */
    private static void takeAndDie() {
        Ports ports = SystemPorts.create();
        Map<String, String> environment =
                Map.of("INTERLOCK_HOME", force.path("home").toString());
        try (WorkStores stores = new ConfiguredStores(environment, ports).work(null, notice -> {})) {
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < LOST; i += 2) {
                stores.resources().register(new LockName("thing-" + i), "thing", Map.of(), null, "tester");
                requests.add(Request.of("MAKE", "thing-" + i, Map.of(), "tester"));
                requests.add(Request.of("again", "again-" + i, Map.of(), "tester"));
            }
            stores.executions().submit(requests);
            Lease lease = new Lease(UUID.randomUUID(), "dead:1:aa", "tester", LEASE);
            Claimant dying = new Claimant(
                    new Identity("dead:1:aa", "tester"), Map.of(LEASE, lease), Set.of("again", "thing/MAKE"));
            List<Claimed> taken = new ArrayList<>();
            while (taken.size() < LOST) {
                taken.addAll(
                        stores.executions().claim(dying, LOST - taken.size()).started());
            }
        }
    }

    private void start(String... more) {
        List<String> words = new ArrayList<>(List.of("janitor"));
        Collections.addAll(words, more);
        janitors.add(force.cli().start(words.toArray(new String[0])));
    }

    private static List<String> halfDone() {
        return force.server().texts(HALF_DONE);
    }

    @Test
    void janitors_that_are_killed_leave_nothing_half_done_and_what_two_find_is_closed_once() {
        takeAndDie();
        force.server().execute(AGE);
        Random random = new Random(SEED);
        List<Integer> moments = IntStream.range(0, KILLS)
                .mapToObj(i -> 5 + random.nextInt(LOST * 3 / 4))
                .sorted()
                .toList();

        start("--once");
        start("--once");
        start();
        start();
        int struck = 0;
        for (int moment : moments) {
            Running.await(moment + " closed", () -> force.number(CLOSED) >= moment);
            List<Running> alive = janitors.stream()
                    .filter(janitor -> janitor.process().isAlive())
                    .toList();
            Running victim = alive.get(random.nextInt(alive.size()));
            victim.signal("KILL");
            struck += victim.result().status() == 128 + 9 ? 1 : 0;
            start();
        }
        Running.await("all closed", () -> force.number(CLOSED) == LOST);

        assertThat(struck).isPositive(); // one of them may have been done just then
        assertThat(halfDone()).isEmpty();
        // Those janitors that live seal too; whoever comes second gives way.
        Running.await("sealed", () -> force.say("audit", "seal").code() == 0);
        assertThat(force.say("audit", "verify").out()).startsWith("The trail is whole: ");

        // The checks can fail.
        force.server().execute("UPDATE interlock.execution SET dead_at = NULL WHERE target = 'thing-4'");
        force.server().execute("UPDATE interlock.lock SET held = true WHERE name = 'again-6'");
        assertThat(halfDone()).containsExactlyInAnyOrder("thing-4", "again-6");
    }
}
