package dev.interlock.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Phase;
import dev.interlock.core.work.LogStore.Stream;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class OutputTest {
    private final Plant plant = new Plant();
    private final Hands hands = new Hands(plant);

    @AfterEach
    void nothing_died_in_the_background() {
        assertThat(plant.time.crashes()).isEmpty();
    }

    @Test
    void what_an_attempt_prints_can_be_read_a_moment_later() {
        plant.worker(hands);
        String id = plant.submit();
        Work work = hands.begun.getFirst();

        work.log(Stream.OUT, bytes("one\n"));
        work.log(Stream.ERR, bytes("two\n"));
        work.progress("2 of 3");
        plant.advance(Duration.ofMillis(200));

        assertThat(log(id)).isEqualTo("one\ntwo\n");
        assertThat(plant.line.calls("append")).isEqualTo(1);
        assertThat(plant.standing(id).progress()).isEqualTo("2 of 3");
    }

    @Test
    void the_last_words_of_an_attempt_are_kept_before_its_end_is_told() {
        plant.worker(work -> work.log(Stream.OUT, bytes("done\n")));

        String id = plant.submit();

        assertThat(plant.phase(id)).isEqualTo(Phase.COMPLETED);
        assertThat(log(id)).isEqualTo("done\n");
    }

    @Test
    void what_could_not_be_kept_is_noted_where_it_is_missing() {
        plant.worker(hands);
        String id = plant.submit();
        Work work = hands.begun.getFirst();
        plant.line.fail("append", Line.Fault.REQUEST_LOST, 3);

        work.log(Stream.OUT, new byte[Output.MAX_PENDING]);
        plant.advance(Duration.ofSeconds(1));
        work.log(Stream.OUT, bytes("0123456789"));
        plant.advance(Duration.ofSeconds(3));
        work.log(Stream.OUT, bytes("again\n"));
        plant.advance(Duration.ofSeconds(1));

        assertThat(log(id).strip()).isEqualTo("\0".repeat(Output.MAX_PENDING) + "… 10 bytes not kept\nagain");
    }

    @Test
    void what_is_sent_again_after_a_lost_answer_is_kept_once() {
        plant.worker(hands);
        String id = plant.submit();
        Work work = hands.begun.getFirst();
        plant.line.fail("append", Line.Fault.ANSWER_LOST, 1);

        work.log(Stream.OUT, bytes("one\n"));
        plant.advance(Duration.ofMillis(200));
        work.log(Stream.OUT, bytes("two\n"));
        plant.advance(Duration.ofSeconds(3));

        assertThat(plant.line.calls("append")).isEqualTo(2);
        assertThat(log(id)).isEqualTo("one\ntwo\n");
    }

    @Test
    void a_store_that_keeps_no_logs_does_not_stop_the_work() {
        plant.worker(work -> work.log(Stream.OUT, bytes("done\n")));
        plant.line.fail("append", Line.Fault.BUG, 1000);

        String id = plant.submit();

        assertThat(plant.phase(id)).isEqualTo(Phase.COMPLETED);
    }

    private String log(String id) {
        return plant.logs.read(id, 1, 0, 1000).stream()
                .map(piece -> UTF_8.decode(piece.bytes().duplicate()).toString())
                .collect(Collectors.joining());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
