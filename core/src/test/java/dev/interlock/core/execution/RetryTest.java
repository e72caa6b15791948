package dev.interlock.core.execution;

import static dev.interlock.core.execution.Verbs.NOON;
import static dev.interlock.core.execution.Verbs.TOKEN;
import static dev.interlock.core.execution.Verbs.in;
import static dev.interlock.core.execution.Verbs.moved;
import static dev.interlock.core.execution.Verbs.next;
import static dev.interlock.core.execution.Verbs.transientFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.execution.Retry.Decision;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryTest {
    private static Execution runningAttempt(int number) {
        Execution execution = in(Phase.RUNNING);
        for (int made = 1; made < number; made++) {
            execution = moved(execution.retry(TOKEN + made - 1, NOON, null, transientFailure(), NOON));
            execution = moved(execution.start(next(execution)));
        }
        return execution;
    }

    private static Failure failure(FailureKind kind, RetryClass retryClass) {
        return new Failure(kind, retryClass, "CODE", "message");
    }

    @ParameterizedTest
    @CsvSource({
        // made, kind, class, after loss -> decision
        "1, NOT_STARTED, TRANSIENT, false, AGAIN",
        "1, STARTED,     TRANSIENT, false, AGAIN",
        "1, UNKNOWN,     TRANSIENT, false, UNSAFE",
        "1, UNKNOWN,     TRANSIENT, true,  AGAIN",
        "2, STARTED,     TRANSIENT, false, AGAIN",
        "2, UNKNOWN,     TRANSIENT, true,  AGAIN",
        "3, STARTED,     TRANSIENT, false, EXHAUSTED",
        "3, UNKNOWN,     TRANSIENT, true,  EXHAUSTED",
        "1, NOT_STARTED, PERMANENT, true,  PERMANENT",
        "1, STARTED,     PERMANENT, true,  PERMANENT",
        "3, STARTED,     PERMANENT, true,  PERMANENT",
    })
    void a_failed_attempt_is_followed_by_another_or_not(
            int made, FailureKind kind, RetryClass retryClass, boolean afterLoss, String expected) {
        Decision decision =
                Retry.DEFAULT.withAfterLoss(afterLoss).after(runningAttempt(made), failure(kind, retryClass), NOON);

        assertThat(decision instanceof Decision.Again ? "AGAIN" : decision.toString())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1, PT5M", "2, PT10M", "3, PT20M", "4, PT30M", "5, PT30M", "99, PT30M"})
    void the_wait_doubles_up_to_half_an_hour(int made, Duration longest) {
        assertThat(Retry.DEFAULT.longestWait(made)).isEqualTo(longest);
    }

    @Test
    void waits_spread_from_nothing_to_the_whole() {
        List<Long> waits = IntStream.range(0, 10_000)
                .mapToObj(number -> Retry.DEFAULT.wait("exec-" + number, 1).toSeconds())
                .toList();

        assertThat(waits).allMatch(wait -> wait >= 0 && wait < 300);
        assertThat(waits.stream().filter(wait -> wait < 30).count()).isBetween(850L, 1150L);
        assertThat(waits.stream().filter(wait -> wait >= 270).count()).isBetween(850L, 1150L);
    }

    @Test
    void asking_twice_gives_the_same_instant_and_each_attempt_its_own() {
        Decision first = Retry.DEFAULT.after(runningAttempt(1), transientFailure(), NOON);

        assertThat(Retry.DEFAULT.after(runningAttempt(1), transientFailure(), NOON))
                .isEqualTo(first);
        assertThat(Jitter.of("exec-1", 1)).isNotEqualTo(Jitter.of("exec-1", 2));
        assertThat(((Decision.Again) first).at()).isBetween(NOON, NOON.plus(Duration.ofMinutes(5)));
    }

    @Test
    void neighbours_are_not_alike() {
        assertThat(Stream.of("a", "b", "", "aa", "exec-1", "exec-2").map(id -> Jitter.of(id, 1)))
                .doesNotHaveDuplicates()
                .allMatch(part -> part >= 0 && part < 1);
    }

    @Test
    void without_retries_the_first_failure_is_the_last() {
        assertThat(Retry.NONE.after(runningAttempt(1), transientFailure(), NOON))
                .isEqualTo(Decision.GiveUp.EXHAUSTED);
    }

    @Test
    void settings_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> Retry.DEFAULT.withAttempts(0))
                .hasMessage("An execution has 1 to 100 attempts, not 0.");
        assertThatThrownBy(() -> Retry.DEFAULT.withAttempts(101)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Retry.DEFAULT.withWaits(Duration.ofMinutes(2), Duration.ofMinutes(1)))
                .hasMessage(
                        "The wait before another attempt grows from 2m to 1m: it takes 0 < first <= longest <= 366 days.");
        assertThatThrownBy(() -> Retry.DEFAULT.withWaits(Duration.ZERO, Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Retry.DEFAULT.withWaits(Duration.ofDays(1), Duration.ofDays(367)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
