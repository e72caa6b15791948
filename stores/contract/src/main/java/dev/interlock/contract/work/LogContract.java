package dev.interlock.contract.work;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.LogStore.Piece;
import dev.interlock.core.work.LogStore.Printed;
import dev.interlock.core.work.LogStore.Stream;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an attempt prints is kept once, in order, while it runs. */
interface LogContract extends Work {
    @Test
    default void what_is_printed_is_read_in_order() {
        Claimed claimed = printing();
        append(claimed, 0, "one", "two");
        append(claimed, 6, "three");

        assertThat(log(claimed)).containsExactly("1 one", "2 two", "3 three");
    }

    @Test
    default void what_is_sent_again_after_a_lost_answer_is_kept_once() {
        Claimed claimed = printing();
        append(claimed, 0, "one", "two");

        append(claimed, 0, "one", "two");

        assertThat(log(claimed)).containsExactly("1 one", "2 two");
    }

    @Test
    default void what_is_sent_again_with_more_behind_it_adds_what_is_new() {
        Claimed claimed = printing();
        append(claimed, 0, "one");

        append(claimed, 0, "one", "two");
        append(claimed, 0, "onetwothree");

        assertThat(log(claimed)).containsExactly("1 one", "2 two", "3 three");
    }

    @Test
    default void what_an_attempt_says_after_its_end_is_dropped() {
        Claimed claimed = printing();
        append(claimed, 0, "one");
        complete(claimed);

        append(claimed, 3, "too late");

        assertThat(log(claimed)).containsExactly("1 one");
    }

    private Claimed printing() {
        submit(deploy(TARGET));
        return claim(runner("ada"));
    }

    private void append(Claimed claimed, long from, String... texts) {
        List<Printed> printed = java.util.stream.Stream.of(texts)
                .map(text -> new Printed(Stream.OUT, ByteBuffer.wrap(text.getBytes(UTF_8))))
                .toList();
        logs().append(claimed.execution().id(), claimed.attempt().number(), claimed.token(), from, printed);
    }

    private List<String> log(Claimed claimed) {
        List<Piece> pieces =
                logs().read(claimed.execution().id(), claimed.attempt().number(), 0, 100);
        return pieces.stream()
                .map(piece -> piece.number() + " " + UTF_8.decode(piece.bytes().duplicate()))
                .toList();
    }
}
