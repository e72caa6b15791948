package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final List<String> FOUR = List.of("a", "b", "c", "d");

    @Test
    void each_contender_comes_once_in_every_place_and_once_after_every_other() {
        var orders = IntStream.range(0, 4).mapToObj(round -> String.join("", Rounds.order(FOUR, round)));
        assertThat(orders).containsExactly("abdc", "bcad", "cdba", "dacb");
    }

    @Test
    void rounds_beyond_the_number_of_contenders_begin_again() {
        assertThat(Rounds.order(FOUR, 5)).isEqualTo(Rounds.order(FOUR, 1));
    }

    @Test
    void an_odd_number_of_contenders_is_ordered_too() {
        assertThat(Rounds.order(List.of("a", "b", "c"), 1)).containsExactly("b", "c", "a");
    }
}
