package dev.interlock.core.audit;

import static java.time.Instant.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChainTest {
    private static final String[] WORDS = {"", "a", "ab", "b", "1", "\u0000", "\u0000\u0000", "é", "𝄞", "null"};

    /**
     * The checker: how many pairs of events are encoded alike although they differ. Each event is compared with those
     * that it is most easily taken for: a letter that moved to the neighbouring value, nothing instead of no letters, a
     * single value changed.
     */
    private static long confused(Function<Event, byte[]> encoding) {
        Random chance = new Random(20261116);
        long confused = 0;
        for (int round = 0; round < 300; round++) {
            String[] texts = new String[Events.TEXTS];
            Arrays.setAll(texts, at -> at > 4 && chance.nextInt(3) == 0 ? null : WORDS[chance.nextInt(WORDS.length)]);
            Event event = Events.of(texts, 1, 1, EPOCH, EPOCH, true);
            byte[] encoded = encoding.apply(event);
            confused += lookalikes(texts)
                    .filter(other -> !other.equals(event) && Arrays.equals(encoded, encoding.apply(other)))
                    .count();
        }
        return confused;
    }

    private static Stream<Event> lookalikes(String[] texts) {
        Stream<Event> numbers = Stream.of(
                Events.of(texts, 2, 1, EPOCH, EPOCH, true),
                Events.of(texts, 1, 2, EPOCH, EPOCH, true),
                Events.of(texts, 1, 1, EPOCH.plusNanos(1000), EPOCH, true),
                Events.of(texts, 1, 1, EPOCH, EPOCH.minusSeconds(1), true),
                Events.of(texts, 1, 1, EPOCH, EPOCH, false));
        Stream<Event> changed = IntStream.range(0, Events.TEXTS)
                .boxed()
                .flatMap(at -> Stream.concat(
                        Stream.of(WORDS).map(word -> with(texts, at, word)),
                        Stream.of(at > 4 ? with(texts, at, null) : moved(texts, at))));
        Stream<Event> moved = IntStream.range(5, Events.TEXTS).mapToObj(at -> moved(texts, at));
        return Stream.of(numbers, changed, moved).flatMap(all -> all);
    }

    private static Event with(String[] texts, int at, String word) {
        String[] other = texts.clone();
        other[at] = word;
        return Events.of(other, 1, 1, EPOCH, EPOCH, true);
    }

    /** The last letter of a value becomes the first of the next. */
    private static Event moved(String[] texts, int at) {
        String[] other = texts.clone();
        String word = other[at];
        if (at + 1 < other.length && word != null && !word.isEmpty()) {
            int cut = word.offsetByCodePoints(word.length(), -1);
            other[at] = word.substring(0, cut);
            other[at + 1] = word.substring(cut) + (other[at + 1] == null ? "" : other[at + 1]);
        }
        return Events.of(other, 1, 1, EPOCH, EPOCH, true);
    }

    @Test
    void no_two_events_are_encoded_alike() {
        assertThat(confused(Chain::encoded)).isZero();
    }

    @Test
    void an_encoding_without_lengths_would_be_noticed() {
        assertThat(confused(event -> (event.token()
                                + event.event()
                                + event.execution()
                                + event.actor()
                                + event.detail()
                                + event.workflow())
                        .getBytes(StandardCharsets.UTF_8)))
                .isPositive();
        assertThat(confused(event -> event.toString().replace("null", "").getBytes(StandardCharsets.UTF_8)))
                .as("nothing is taken for no letters")
                .isPositive();
    }

    /** Computed by another program. Seals are checked for years: what is written here must never have to be changed. */
    @Test
    void a_seal_is_hashed_as_it_always_was() {
        Seal seal = Events.Trail.of(2).seals.getLast();

        assertThat(seal.listing()).isEqualTo("45433f1520496cfe2560a588ca1c00df438d4ee8d70b6b9862cfba98778926d8");
        assertThat(seal.contents()).isEqualTo("c6c8121e4cb14eeb2dcd599149fe574531429e0deabdb1b7efcf59d8211fdc12");
        assertThat(seal.hash()).isEqualTo("da47471724f2ebf1748dae2043796fa44c90a1b0f563e072659526502e2100f5");
    }
}
