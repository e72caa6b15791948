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

    /** Who was granted the target out of turn, by the audit trail: the n-th grant is that of the n-th who asked. */
    private static final String OUT_OF_TURN = """
            SELECT count(*)
              FROM (SELECT (x.parameters ->> 'N')::int AS asked, row_number() OVER (ORDER BY h.token) AS granted
                      FROM interlock.history h JOIN interlock.execution x ON x.id = h.execution
                     WHERE h.event = 'GRANTED' AND h.name = '%s') g
             WHERE g.granted <> g.asked""";

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

    private static void work(List<Request> requests) throws InterruptedException {
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
    }

    private static Request request(String target, int number) {
        return Request.of("trifle", target, Map.of("N", "" + number), "tester");
    }

    @Test
    void a_line_of_ten_thousand_arrives_together_and_is_served_in_its_order() throws InterruptedException {
        List<Request> requests = new ArrayList<>();
        for (int number = 1; number <= WAITING; number++) {
            requests.add(request("long", number));
        }

        work(requests);

        assertThat(force.number(OUT_OF_TURN.formatted("long"))).isZero();
        // What is sent together arrives at one instant.
        assertThat(force.number("SELECT count(DISTINCT submitted_at) FROM interlock.execution WHERE target = 'long'"))
                .isLessThan(10);
    }

    /** The check can fail: here two have each other's number. */
    @Test
    void a_number_out_of_turn_is_noticed() throws InterruptedException {
        work(List.of(request("wrong", 1), request("wrong", 3), request("wrong", 2)));

        assertThat(force.number(OUT_OF_TURN.formatted("wrong"))).isEqualTo(2);
    }
}
