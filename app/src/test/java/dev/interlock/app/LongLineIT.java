package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Identity;
import dev.interlock.core.Ports;
import dev.interlock.core.execution.Request;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.WorkStores;
import dev.interlock.engine.Worker;
import dev.interlock.engine.WorkerSettings;
import dev.interlock.engine.Workplace;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ten thousand executions wait in one line. */
class LongLineIT {
    private static final int WAITING = 10_000;

    /** Who was granted the target before somebody who had asked earlier, by the audit trail. */
    private static final String OUT_OF_TURN = """
            SELECT count(*)
              FROM (SELECT (x.parameters ->> 'N')::int AS asked, lag((x.parameters ->> 'N')::int) OVER (ORDER BY h.token) AS before
                      FROM interlock.history h JOIN interlock.execution x ON x.id = h.execution
                     WHERE h.event = 'GRANTED' AND h.name = '%s') g
             WHERE g.before > g.asked""";

    private static final String GRANTED =
            "SELECT count(DISTINCT execution) FROM interlock.history WHERE event = 'GRANTED' AND name = '%s'";

    private static Workforce force;

    @BeforeAll
    static void startStore() throws IOException, SQLException {
        force = Workforce.declaring("workflows: {trifle: {}}");
        force.say("workflows", "apply", force.declarations().toString());
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException, SQLException {
        force.close();
    }

    private static void work(String target, List<Request> requests) throws InterruptedException {
        Ports ports = SystemPorts.create();
        Map<String, String> environment =
                Map.of("INTERLOCK_HOME", force.path("home").toString());
        CountDownLatch left = new CountDownLatch(requests.size());
        try (WorkStores stores = new ConfiguredStores(environment, ports).work(null, notice -> {})) {
            stores.executions().submit(requests);
            Workplace place = new Workplace(
                    stores.executions(),
                    stores.catalogue(),
                    stores.workers(),
                    stores.logs(),
                    stores.locks(),
                    new Identity("test-pc:1:aa", "tester"),
                    ports);
            try (Worker worker = Worker.at(place)
                    .with(WorkerSettings.DEFAULT.withSlots(8))
                    .handling("trifle", work -> left.countDown())
                    .start()) {
                assertThat(left.await(4, TimeUnit.MINUTES)).as(worker.id()).isTrue();
            }
        }
        assertThat(force.server().number(GRANTED.formatted(target))).isEqualTo(requests.size());
    }

    private static Request request(String target, int number) {
        return Request.of("trifle", target, Map.of("N", "" + number), "tester");
    }

    @Test
    void a_line_of_ten_thousand_is_served_in_its_order() throws InterruptedException {
        List<Request> requests = new ArrayList<>();
        for (int number = 0; number < WAITING; number++) {
            requests.add(request("long", number));
        }

        work("long", requests);

        assertThat(force.server().number(OUT_OF_TURN.formatted("long"))).isZero();
    }

    /** The check can fail: here somebody has a number that is not that of their place. */
    @Test
    void a_number_out_of_turn_is_noticed() throws InterruptedException {
        work("wrong", List.of(request("wrong", 1), request("wrong", 3), request("wrong", 2)));

        assertThat(force.server().number(OUT_OF_TURN.formatted("wrong"))).isEqualTo(1);
    }
}
