package dev.interlock.core.admission;

import static dev.interlock.core.admission.Past.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Request;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The rules look back from the present over the whole past. The oracle goes the other way: it lives through the past
 * and keeps counters. On thousands of random pasts both must say the same.
 */
class OracleTest {
    private static final int PASTS = 20_000;

    /** Mostly failures before the work began, so that they come in rows; null for a success. */
    private static final List<FailureKind> KINDS = Arrays.asList(
            null,
            FailureKind.NOT_STARTED,
            FailureKind.NOT_STARTED,
            FailureKind.NOT_STARTED,
            FailureKind.NOT_STARTED,
            FailureKind.STARTED,
            FailureKind.UNKNOWN);

    private static List<History.Entry> randomPast(Random random) {
        List<History.Entry> entries = new ArrayList<>();
        Instant end = NOON.minus(Duration.ofHours(2));
        int many = random.nextInt(12);
        for (int number = 0; number < many; number++) {
            end = end.plusSeconds(1 + random.nextInt(1200));
            FailureKind kind = KINDS.get(random.nextInt(KINDS.size()));
            boolean cleared = kind != null && random.nextInt(3) == 0;
            String workflow = random.nextInt(3) == 0 ? "V" : "W";
            entries.add(new History.Entry("e" + number, workflow, "alice", end, kind, "", cleared));
        }
        return entries;
    }

    private static Policy randomPolicy(Random random) {
        Scope[] scopes = Scope.values();
        return Policy.PLAIN
                .withCooldown(Duration.ofMinutes(random.nextInt(6)), scopes[random.nextInt(2)])
                .withBlock(random.nextInt(3) == 0 ? null : scopes[random.nextInt(2)])
                .withBackoff(
                        random.nextInt(4) == 0
                                ? null
                                : Backoff.DEFAULT
                                        .withLimit(1 + random.nextInt(4))
                                        .withProbeAfter(random.nextBoolean() ? null : Duration.ofMinutes(20)));
    }

    private static String oracle(List<History.Entry> past, Policy policy, Instant now) {
        Set<String> uncleared = new LinkedHashSet<>();
        int failures = 0;
        Instant probe = Instant.MIN;
        Instant open = Instant.MIN;
        Instant cool = Instant.MIN;
        for (History.Entry entry : past) {
            boolean mine = entry.workflow().equals("W");
            boolean counts = mine || policy.block() != Scope.WORKFLOW;
            if (entry.failure() == null) {
                failures = counts ? 0 : failures;
                if (mine || policy.cooldownScope() == Scope.TARGET) {
                    cool = entry.endedAt().plus(policy.cooldown());
                }
            } else if (counts && entry.failure() == FailureKind.NOT_STARTED) {
                failures = entry.cleared() ? 0 : failures + 1;
                if (failures > 0 && policy.backoff() != null) {
                    Duration wait = policy.backoff().probeAfter();
                    probe = wait == null ? Instant.MAX : entry.endedAt().plus(wait);
                    open = entry.endedAt().plus(policy.backoff().delay(failures, entry.execution()));
                }
            } else if (counts && !entry.cleared()) {
                uncleared.add(entry.execution());
            }
        }
        if (policy.block() != null && !uncleared.isEmpty()) {
            return "PREVIOUS_EXECUTION_FAILED";
        }
        if (policy.backoff() != null && failures >= policy.backoff().limit() && now.isBefore(probe)) {
            return "EXHAUSTED_RETRIES";
        }
        if (policy.backoff() != null && failures > 0 && now.isBefore(open)) {
            return "BACKOFF";
        }
        return now.isBefore(cool) ? "COOLDOWN" : "Admitted";
    }

    private static String decided(List<History.Entry> past, Policy policy, Instant now) {
        Candidate candidate = Candidate.whatIf(Request.of("W", "prod/c1", Map.of(), "alice"), now);
        return switch (new Case(candidate, new History(past), Situation.FREE, policy, now).decide()) {
            case Admission.Admitted admitted -> "Admitted";
            case Admission.Refused(Reason reason) -> reason.rule().name();
        };
    }

    /** The checker: on how many pasts the rules, seeing the past through these eyes, differ from the oracle. */
    private static int differences(UnaryOperator<List<History.Entry>> eyes, Set<String> answers) {
        int found = 0;
        for (int seed = 0; seed < PASTS; seed++) {
            Random random = new Random(seed);
            List<History.Entry> past = randomPast(random);
            Policy policy = randomPolicy(random);
            Instant now =
                    past.isEmpty() ? NOON : past.get(past.size() - 1).endedAt().plusSeconds(random.nextInt(1500));
            String answer = decided(eyes.apply(past), policy, now);
            answers.add(answer);
            if (!answer.equals(oracle(past, policy, now))) {
                found++;
            }
        }
        return found;
    }

    @Test
    void looking_back_and_living_through_it_come_to_the_same() {
        Set<String> answers = new LinkedHashSet<>();

        assertThat(differences(past -> past, answers)).isZero();
        assertThat(answers)
                .as("the pasts are of every kind")
                .containsExactlyInAnyOrder(
                        "Admitted", "PREVIOUS_EXECUTION_FAILED", "EXHAUSTED_RETRIES", "BACKOFF", "COOLDOWN");
    }

    @Test
    void eyes_that_miss_a_part_of_the_past_are_caught() {
        Set<String> answers = new LinkedHashSet<>();

        assertThat(differences(past -> past.isEmpty() ? past : List.of(past.get(past.size() - 1)), answers))
                .as("only the newest")
                .isPositive();
        assertThat(differences(past -> past.isEmpty() ? past : past.subList(1, past.size()), answers))
                .as("all but the oldest")
                .isPositive();
        assertThat(differences(
                        past -> past.stream()
                                .filter(entry -> entry.failure() != null)
                                .toList(),
                        answers))
                .as("no successes")
                .isPositive();
    }
}
