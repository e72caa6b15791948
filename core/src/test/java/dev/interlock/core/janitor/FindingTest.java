package dev.interlock.core.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FindingTest {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00.5Z");

    @Test
    void a_sentence_says_what_was_found_and_what_is_done() {
        assertThat(new Finding.ExpiredAttempt("exec-1", "prod/db", 2, 7, "host:1:a", NOON).sentence())
                .isEqualTo(
                        "Attempt 2 of execution exec-1 on 'prod/db' lost its worker host:1:a: its lease (token 7) was"
                                + " over at 2026-11-16T12:00:00Z. It is closed as WORKER_TIMEOUT.");
        assertThat(new Finding.Overdue("exec-1", "prod/db", 1, 7, Duration.ofMinutes(10)).sentence())
                .isEqualTo("Attempt 1 of execution exec-1 on 'prod/db' (token 7) runs longer than its timeout of 10m."
                        + " It is cancelled.");
        assertThat(new Finding.GoneWaiters("prod/db", 1).sentence())
                .isEqualTo("1 waiting for lock 'prod/db' is gone. Their places are removed.");
        assertThat(new Finding.DeadLetterOld("exec-1", "prod/db", NOON).sentence())
                .isEqualTo("Execution exec-1 on 'prod/db' has been among the dead letters since 2026-11-16T12:00:00Z."
                        + " See: interlock dead show exec-1");
    }

    @Test
    void a_deed_tells_what_came_of_its_finding() {
        Finding gone = new Finding.GoneWorker("host:1:a");

        assertThat(new Deed.Done(gone, "").sentence())
                .isEqualTo("Worker host:1:a is gone. It is removed from the list.");
        assertThat(new Deed.Done(gone, "It had run two executions.").sentence())
                .isEqualTo("Worker host:1:a is gone. It is removed from the list. It had run two executions.");
        assertThat(new Deed.Moot(gone).sentence())
                .isEqualTo("No more: Worker host:1:a is gone. It is removed from the list.");
        assertThat(new Deed.Failed(gone, "No.").sentence())
                .isEqualTo("Worker host:1:a is gone. It is removed from the list. That failed: No.");
    }
}
