package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DateClockTest {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

    private final AtomicLong ticker = new AtomicLong();
    private final DateClock clock = new DateClock(ticker::get);

    private void heard(Instant date, Duration onTheWay) {
        long sentAt = ticker.get();
        ticker.addAndGet(onTheWay.toNanos());
        clock.heard(date, sentAt, ticker.get());
    }

    @Test
    void a_date_stands_for_its_whole_second_and_for_the_time_the_answer_took() {
        heard(NOON, Duration.ofMillis(300));

        assertThat(clock.now().earliest()).isEqualTo(NOON);
        assertThat(clock.now().latest()).isEqualTo(NOON.plusMillis(1300));
    }

    @Test
    void the_ticker_carries_it_on() {
        heard(NOON, Duration.ZERO);
        ticker.addAndGet(Duration.ofSeconds(10).toNanos());

        assertThat(clock.now().earliest()).isBetween(NOON.plusSeconds(10).minusMillis(10), NOON.plusSeconds(10));
    }

    /** Whatever the server's fraction of a second and the way of the answer: the truth is never outside the bounds. */
    @Test
    void the_true_time_is_always_between_the_bounds_and_they_close_in_on_it() {
        SplittableRandom random = new SplittableRandom(7);
        Instant begin = NOON.plusNanos(random.nextLong(1_000_000_000));
        for (int answer = 0; answer < 200; answer++) {
            ticker.addAndGet(random.nextLong(700_000_000));
            long sentAt = ticker.get();
            ticker.addAndGet(random.nextLong(30_000_000));
            Instant date = Instant.ofEpochSecond(begin.plusNanos(ticker.get()).getEpochSecond());
            ticker.addAndGet(random.nextLong(30_000_000));
            clock.heard(date, sentAt, ticker.get());

            Instant truth = begin.plusNanos(ticker.get());
            assertThat(clock.now().earliest()).isBeforeOrEqualTo(truth);
            assertThat(clock.now().latest().plusNanos(1000)).isAfterOrEqualTo(truth);
        }
        assertThat(Duration.between(clock.now().earliest(), clock.now().latest()))
                .isLessThan(Duration.ofMillis(500));
    }

    @Test
    void a_clock_that_jumped_is_followed_and_not_trusted_for_a_while() {
        heard(NOON, Duration.ZERO);
        assertThat(clock.now().steadyFor()).isGreaterThan(Duration.ofDays(366));

        heard(NOON.plus(Duration.ofHours(1)), Duration.ZERO);

        assertThat(clock.now().earliest()).isEqualTo(NOON.plus(Duration.ofHours(1)));
        assertThat(clock.now().steadyFor()).isZero();
        ticker.addAndGet(Duration.ofSeconds(30).toNanos());
        assertThat(clock.now().steadyFor()).isEqualTo(Duration.ofSeconds(30));
    }
}
