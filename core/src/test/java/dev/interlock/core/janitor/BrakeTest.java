package dev.interlock.core.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.janitor.Finding.ExpiredAttempt;
import dev.interlock.core.janitor.Finding.GoneWorker;
import dev.interlock.core.janitor.Finding.LockStateLost;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BrakeTest {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Instant LONG_AGO = NOON.minus(Duration.ofDays(1));

    private static Census census(int running, int expired, Instant firstExpiry) {
        return new Census(NOON, LONG_AGO, null, running, expired, expired == 0 ? null : firstExpiry, LEASE);
    }

    @Test
    void nothing_is_held_back_while_single_runners_die() {
        assertThat(Brake.judge(census(100, 4, NOON.minusSeconds(1)))).isEqualTo(Brake.Off.OFF);
        assertThat(Brake.judge(census(4, 4, NOON.minusSeconds(1)))).isEqualTo(Brake.Off.OFF);
    }

    @Test
    void half_of_all_is_no_crowd_and_one_more_is() {
        assertThat(Brake.judge(census(20, 10, NOON.minusSeconds(1)))).isEqualTo(Brake.Off.OFF);
        assertThat(Brake.judge(census(20, 11, NOON.minusSeconds(1))))
                .isEqualTo(new Brake.On(
                        "The leases of 11 of 20 running attempts are over at once.", NOON.plusSeconds(29)));
    }

    @Test
    void a_crowd_is_judged_one_longest_lease_after_its_first_however_many_follow() {
        assertThat(Brake.judge(census(20, 20, NOON.minus(LEASE)))).isEqualTo(Brake.Off.OFF);
        assertThat(Brake.judge(census(20, 20, NOON.minus(LEASE).plusNanos(1)))).isInstanceOf(Brake.On.class);
    }

    @Test
    void a_store_that_has_just_started_judges_nobody_for_the_longest_lease() {
        Census started = new Census(NOON, NOON.minusSeconds(29), null, 1, 1, NOON.minusSeconds(300), LEASE);

        assertThat(Brake.judge(started))
                .isEqualTo(new Brake.On("The store was started at 2026-11-16T11:59:31Z.", NOON.plusSeconds(1)));
    }

    @Test
    void a_store_that_was_restored_judges_nobody_before_it_grants_again() {
        Census restored = new Census(NOON, LONG_AGO, NOON.plusSeconds(40), 0, 0, null, Duration.ZERO);

        assertThat(Brake.judge(restored).sentence())
                .isEqualTo("The store has failed over or was restored. No runner is judged before"
                        + " 2026-11-16T12:00:40Z.");
    }

    @Test
    void the_reason_that_lasts_longest_is_told() {
        Census all = new Census(NOON, NOON.minusSeconds(10), NOON.plusSeconds(5), 6, 6, NOON.minusSeconds(25), LEASE);

        assertThat(Brake.judge(all))
                .isEqualTo(new Brake.On("The store was started at 2026-11-16T11:59:50Z.", NOON.plusSeconds(20)));
    }

    @Test
    void only_judgements_wait() {
        Brake on = new Brake.On("Wait.", NOON);

        assertThat(on.holdsBack(new ExpiredAttempt("e", "t", 1, 1, "w", NOON))).isTrue();
        assertThat(on.holdsBack(new LockStateLost("e", "t", 1, 1, "w"))).isTrue();
        assertThat(on.holdsBack(new GoneWorker("w"))).isFalse();
        assertThat(Brake.Off.OFF.holdsBack(new ExpiredAttempt("e", "t", 1, 1, "w", NOON)))
                .isFalse();
    }
}
