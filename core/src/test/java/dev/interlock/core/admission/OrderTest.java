package dev.interlock.core.admission;

import static dev.interlock.core.admission.Past.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Clusters;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every set of rules can refuse at once; the first of them in the table is the reason. */
class OrderTest {
    private static final List<String> TABLE = List.of(
            "InvalidSpec",
            "InvalidState",
            "PreviousExecutionFailed",
            "ExhaustedRetries",
            "RecentlyRemediated (backoff)",
            "RecentlyRemediated (cooldown)",
            "Frozen",
            "ResourceBusy");

    private static final Policy POLICY = Policy.REMEDIATION.withBackoff(Backoff.DEFAULT
            .withDelays(Duration.ofSeconds(10), Duration.ofSeconds(10))
            .withProbeAfter(null));

    /** A case in which these rules refuse and no others do. */
    private static Case refusing(Set<Rule> red) {
        String workflow = "SCALE_WORKERS";
        List<Execution> past = new ArrayList<>();
        if (red.contains(Rule.COOLDOWN)) {
            past.add(Past.completed("done", workflow, -120));
        }
        if (red.contains(Rule.PREVIOUS_EXECUTION_FAILED)) {
            past.add(Past.broken("broken", workflow, -100));
        }
        if (red.contains(Rule.EXHAUSTED_RETRIES)) {
            IntStream.range(0, 5)
                    .forEach(number -> past.add(Past.notStarted("early-" + number, workflow, -60 + number)));
        }
        if (red.contains(Rule.BACKOFF)) {
            past.add(Past.notStarted("late", workflow, -1));
        }
        Map<String, String> parameters = red.contains(Rule.INVALID_SPEC) ? Map.of("not a name", "") : Map.of();
        Situation situation = new Situation(
                red.contains(Rule.FROZEN) ? Locks.hold() : null,
                red.contains(Rule.RESOURCE_BUSY)
                        ? List.of(Situation.Open.of(Past.pending("older", workflow, -30)))
                        : List.of(),
                new Resource(Clusters.cluster(), red.contains(Rule.INVALID_STATE) ? "DESTROYED" : "READY", null));
        Candidate candidate = new Candidate("me", 1, Request.of(workflow, "prod/c1", parameters, "alice"), at(-5));
        return new Case(candidate, History.of(past), situation, POLICY, at(0));
    }

    private static List<Set<Rule>> everySet() {
        List<Set<Rule>> sets = new ArrayList<>(List.of(EnumSet.noneOf(Rule.class)));
        for (Rule rule : Rule.values()) {
            for (Set<Rule> without : List.copyOf(sets)) {
                Set<Rule> with = EnumSet.of(rule);
                with.addAll(without);
                sets.add(with);
            }
        }
        return sets;
    }

    /** The checker: the sets for which somebody gives another reason than the first of the table. */
    private static List<Set<Rule>> misjudged(Function<Case, String> judge) {
        return everySet().stream()
                .filter(red -> !judge.apply(refusing(red)).equals(first(red)))
                .toList();
    }

    private static String first(Set<Rule> red) {
        List<String> labels = red.stream().map(Rule::label).toList();
        return TABLE.stream().filter(labels::contains).findFirst().orElse("Admitted");
    }

    private static String decided(Case of) {
        return switch (of.decide()) {
            case Admission.Admitted admitted -> "Admitted";
            case Admission.Refused(Reason reason) -> reason.rule().label();
        };
    }

    @Test
    void the_first_reason_in_the_table_wins_whatever_else_refuses() {
        assertThat(everySet()).hasSize(256);
        assertThat(misjudged(OrderTest::decided)).isEmpty();
    }

    @Test
    void a_judge_with_any_two_rules_exchanged_is_caught() {
        for (int one = 0; one < TABLE.size(); one++) {
            for (int other = one + 1; other < TABLE.size(); other++) {
                List<Rule> order = new ArrayList<>(List.of(Rule.values()));
                Collections.swap(order, one, other);

                assertThat(misjudged(of -> firstRed(of, order)))
                        .as(order.toString())
                        .isNotEmpty();
            }
        }
        assertThat(misjudged(of -> firstRed(of, List.of(Rule.values())))).isEmpty();
    }

    private static String firstRed(Case of, List<Rule> order) {
        List<Rule> red = reds(of);
        return order.stream().filter(red::contains).map(Rule::label).findFirst().orElse("Admitted");
    }

    private static List<Rule> reds(Case of) {
        return of.explain().stream()
                .filter(ruling -> ruling instanceof Ruling.Red)
                .map(Ruling::rule)
                .toList();
    }

    @Test
    void the_explanation_lists_every_rule_once_and_in_order_each_judged_by_itself() {
        for (Set<Rule> red : everySet()) {
            Case of = refusing(red);

            assertThat(of.explain().stream().map(ruling -> ruling.rule().label()))
                    .isEqualTo(TABLE);
            assertThat(reds(of)).containsExactlyElementsOf(red);
            assertThat(of.explain()).allMatch(ruling -> !ruling.sentence().isBlank());
        }
    }
}
