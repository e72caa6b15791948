package dev.interlock.core.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PhaseTest {
    /** Written out again, so that no slip in the code is also the expectation. */
    private static final Set<String> LEGAL = Set.of(
            "Pending -> Running",
            "Pending -> Failed",
            "Pending -> Skipped",
            "Pending -> Cancelled",
            "Running -> Completed",
            "Running -> Failed",
            "Running -> Cancelled",
            "Running -> Pending");

    private static String step(Phase from, Phase to) {
        return from.word() + " -> " + to.word();
    }

    /** The checker: all pairs about which the table and the expectation differ. */
    private static List<String> differences(BiPredicate<Phase, Phase> table) {
        List<String> found = new ArrayList<>();
        for (Phase from : Phase.values()) {
            for (Phase to : Phase.values()) {
                if (table.test(from, to) != LEGAL.contains(step(from, to))) {
                    found.add(step(from, to));
                }
            }
        }
        return found;
    }

    @Test
    void every_pair_of_phases_is_legal_or_refused() {
        assertThat(differences(Phase::mayBecome)).isEmpty();
    }

    @Test
    void a_table_with_any_one_pair_wrong_is_caught() {
        for (Phase one : Phase.values()) {
            for (Phase other : Phase.values()) {
                assertThat(differences((from, to) -> from.mayBecome(to) ^ (from == one && to == other)))
                        .containsExactly(step(one, other));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_has_ended_stays_so(Phase phase) {
        assertThat(phase.isTerminal()).isEqualTo(phase != Phase.PENDING && phase != Phase.RUNNING);
    }

    /** The checker: what each verb did wrong, in each phase. */
    private static Map<String, String> misdeeds(Map<String, Verbs.Verb> verbs) {
        Map<String, String> wrong = new TreeMap<>();
        for (Phase from : Phase.values()) {
            verbs.forEach((name, verb) -> {
                Execution execution = Verbs.in(from);
                Transition answer = verb.apply(execution);
                if (!isRight(execution, verb.from(), verb.to(), answer)) {
                    wrong.put(from.word() + "." + name, answer.sentence());
                }
            });
        }
        return wrong;
    }

    @Test
    void the_verbs_of_an_execution_follow_the_table() {
        assertThat(misdeeds(Verbs.all())).isEmpty();
    }

    @Test
    void a_verb_that_does_not_ask_or_never_moves_is_caught() {
        Transition done = new Transition.Moved(Verbs.in(Phase.COMPLETED));
        Transition stale = new Transition.Stale(1, 2);

        assertThat(misdeeds(Map.of("force", new Verbs.Verb(Phase.RUNNING, Phase.COMPLETED, it -> done))))
                .containsOnlyKeys(
                        "Pending.force", "Completed.force", "Failed.force", "Skipped.force", "Cancelled.force");
        assertThat(misdeeds(Map.of("stall", new Verbs.Verb(Phase.RUNNING, Phase.COMPLETED, it -> stale))))
                .containsKey("Running.stall");
    }

    private static boolean isRight(Execution before, Phase expected, Phase to, Transition answer) {
        return switch (answer) {
            case Transition.Moved(Execution after) -> before.phase() == expected && after.phase() == to;
            case Transition.Illegal(Phase from, Phase refused) ->
                from == before.phase() && refused == to && !LEGAL.contains(step(from, to));
            // The step exists, but this verb takes it from elsewhere: for want of a token, or with one of the past.
            case Transition.Stale stale -> before.phase() != expected && LEGAL.contains(step(before.phase(), to));
        };
    }
}
