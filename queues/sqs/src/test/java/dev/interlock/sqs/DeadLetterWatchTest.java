package dev.interlock.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.work.Outbox.WakeUp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** A dead wake-up is acknowledged once its execution's row was seen; what is of no execution stays for a person. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class DeadLetterWatchTest {
    private final Database database = Database.shared().emptied();
    private final AtomicInteger woken = new AtomicInteger();
    private final DeadLetterWatch watch = new DeadLetterWatch(database::phaseOf, woken::incrementAndGet);
    private SqsQueue dead;

    @BeforeEach
    void prepare(TestInfo test) {
        dead = ElasticMq.shared()
                .queues("dead-" + Integer.toHexString(test.getDisplayName().hashCode()) + ".fifo")
                .dead();
    }

    @Test
    void one_whose_execution_waits_wakes_and_is_acknowledged() {
        database.submit("e", "target");
        dead.send(List.of(new WakeUp(1, "e", "target")));

        assertThat(watch.tick(dead)).isEqualTo(new DeadLetters(dead.name(), 0, Duration.ZERO));
        assertThat(woken).hasValue(1);
    }

    @Test
    void one_whose_execution_has_ended_is_acknowledged_and_wakes_nobody() {
        database.submit("e", "target");
        database.runAll();
        dead.send(List.of(new WakeUp(1, "e", "target")));

        assertThat(watch.tick(dead).count()).isZero();
        assertThat(woken).hasValue(0);
    }

    @Test
    void one_of_no_execution_stays_and_is_told() {
        dead.send(List.of(new WakeUp(1, "nobody's", "target"), new WakeUp(2, "nobody's either", "other")));

        DeadLetters found = watch.tick(dead);

        assertThat(found.count()).isEqualTo(2);
        assertThat(found.oldest()).isBetween(Duration.ZERO, Duration.ofMinutes(3));
        assertThat(found.sentence()).startsWith("2 messages lie in '" + dead.name() + "'");
        assertThat(dead.receive(Duration.ZERO)).as("for whoever looks next").hasSize(2);
    }

    @Test
    void the_sentence_tells_the_age_of_the_oldest() {
        assertThat(new DeadLetters("jobs-dlq.fifo", 1, Duration.ofMinutes(65)).sentence())
                .startsWith("1 message lies in 'jobs-dlq.fifo', the oldest for 65 min");
    }
}
