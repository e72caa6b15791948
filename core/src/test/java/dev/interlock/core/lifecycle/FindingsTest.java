package dev.interlock.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FindingsTest {
    /** A slip of the pen, and what must be said of it. */
    record Slip(String written, String instead, List<Finding> expected) {
        Declaration declaration() {
            String text = Clusters.CLUSTER.replace(written, instead);
            assertThat(text).isNotEqualTo(Clusters.CLUSTER);
            return Clusters.declared(text);
        }

        @Override
        public String toString() {
            return instead;
        }
    }

    private static Slip slip(String written, String instead, Finding... expected) {
        return new Slip(written, instead, List.of(expected));
    }

    static List<Slip> slips() {
        return List.of(
                slip(
                        "initial PENDING",
                        "initial PENDIGN",
                        new Finding(3, "Unknown state 'PENDIGN' in initial; the nearest is 'PENDING'.")),
                slip(
                        "CREATE from PENDING",
                        "CREATE from pending",
                        new Finding(
                                4,
                                "Unknown state 'pending' in 'from' of workflow 'CREATE'; the nearest is 'PENDING'.")),
                slip(
                        "during SCALING",
                        "during SCALLING",
                        new Finding(
                                7,
                                "Unknown state 'SCALLING' in 'during' of workflow 'SCALE_WORKERS'; the nearest is 'SCALING'.")),
                slip(
                        "during CREATING success READY",
                        "during CREATING success REDAY",
                        new Finding(
                                4,
                                "Unknown state 'REDAY' in 'onSuccess' of workflow 'CREATE'; the nearest is 'READY'.")),
                slip(
                        "during CREATING success READY failure FAILED",
                        "during CREATING success READY failure FALED",
                        new Finding(
                                4,
                                "Unknown state 'FALED' in 'onFailure' of workflow 'CREATE'; the nearest is 'FAILED'.")),
                slip(
                        "except DESTROYED",
                        "except DESTROYD",
                        new Finding(
                                8,
                                "Unknown state 'DESTROYD' in the states in which a name is free; the nearest is 'DESTROYED'.")),
                slip(
                        "DESTROYED FAILED\n",
                        "DESTROYED FAILED UPGRADING\n",
                        new Finding(
                                2,
                                "State 'UPGRADING' can never be reached from 'PENDING': no workflow that can start leads to it.")),
                slip(
                        "CREATE from PENDING",
                        "CREATE from SCALING",
                        new Finding(2, unreachable("CREATING")),
                        new Finding(2, unreachable("READY")),
                        new Finding(2, unreachable("SCALING")),
                        new Finding(2, unreachable("DESTROYING")),
                        new Finding(2, unreachable("DESTROYED")),
                        new Finding(2, unreachable("FAILED"))),
                slip(
                        "during SCALING success READY failure FAILED",
                        "during SCALING success READY failure SCALING",
                        new Finding(
                                7,
                                "There is no way out of 'SCALING' when workflow 'SCALE_WORKERS' fails: it leads to 'SCALING', from which no workflow starts.")),
                slip(
                        "during SCALING success READY failure FAILED",
                        "during SCALING success READY failure DESTROYED",
                        new Finding(
                                7,
                                "There is no way out of 'SCALING' when workflow 'SCALE_WORKERS' fails: it leads to 'DESTROYED', from which no workflow starts.")),
                slip(
                        "during SCALING success READY",
                        "during SCALING success CREATING",
                        new Finding(
                                7,
                                "There is no way out of 'CREATING' when workflow 'SCALE_WORKERS' succeeds: it is a state of work in progress, and no workflow starts from it.")),
                slip(
                        "DESTROYED FAILED\n",
                        "DESTROYED FAILED READY\n",
                        new Finding(2, "State 'READY' is named twice, first on line 2.")),
                slip(
                        "JANITOR_DESTROY",
                        "DESTROY",
                        new Finding(6, "Workflow 'DESTROY' is named twice, first on line 5.")),
                slip(
                        "SCALE_WORKERS from READY",
                        "SCALE_WORKERS from READY READY",
                        new Finding(
                                7,
                                "In 'from' of workflow 'SCALE_WORKERS', state 'READY' is named twice, first on line 7.")),
                slip(
                        "platform base_domain",
                        "platform name",
                        new Finding(8, "Field 'name' is named twice, first on line 8.")),
                slip(
                        "unique name platform base_domain",
                        "unique",
                        new Finding(8, "The rule of unique names lists no fields.")),
                slip(
                        "except DESTROYED",
                        "except DESTROYED SCALING",
                        new Finding(7, takesAgain("READY")),
                        new Finding(7, takesAgain("FAILED"))),
                slip(
                        "SCALE_WORKERS from READY",
                        "SCALE_WORKERS from",
                        new Finding(2, unreachable("SCALING")),
                        new Finding(7, "Workflow 'SCALE_WORKERS' can never start: its 'from' names no state.")),
                slip(
                        "workflow SCALE_WORKERS from READY",
                        "workflow SCALE\u0007 from READY",
                        new Finding(
                                7,
                                "The name of a workflow must not contain the character U+0007 (at position 6): control characters, line separators, direction overrides and unpaired surrogates are refused.")));
    }

    private static String takesAgain(String state) {
        return "Workflow 'SCALE_WORKERS' gives the name back in 'SCALING' and takes it again in '" + state
                + "', when it may be somebody else's: list both in 'freeIn', or none.";
    }

    private static String unreachable(String state) {
        return "State '" + state + "' can never be reached from 'PENDING': no workflow that can start leads to it.";
    }

    @Test
    void nothing_is_wrong_with_the_cluster() {
        assertThat(Clusters.declared(Clusters.CLUSTER).findings()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("slips")
    void each_slip_is_named_with_its_line_and_nothing_else_is(Slip slip) {
        assertThat(slip.declaration().findings()).isEqualTo(slip.expected());
    }

    /** The checker: the slips about which a reader says something else than it must. */
    private static List<Slip> misread(Function<Declaration, List<Finding>> reader) {
        return slips().stream()
                .filter(slip -> !reader.apply(slip.declaration()).equals(slip.expected()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "Unknown state, 6",
        "never be reached, 3",
        "no way out, 3",
        "named twice, 4",
        "lists no fields, 1",
        "takes it again, 1",
        "never start:, 1",
        "U+0007, 1"
    })
    void a_reader_that_is_blind_to_one_kind_of_fault_is_caught(String kind, int missed) {
        assertThat(misread(Declaration::findings)).isEmpty();
        assertThat(misread(declaration -> declaration.findings().stream()
                        .filter(finding -> !finding.sentence().contains(kind))
                        .toList()))
                .hasSize(missed);
    }

    @Test
    void a_declaration_of_nothing_is_told_so() {
        assertThat(Clusters.declared("lifecycle nothing").findings().stream().map(Finding::sentence))
                .contains(
                        "Lifecycle 'nothing' declares no states.",
                        "Lifecycle 'nothing' declares no workflows.",
                        "Unknown state '' in initial.");
    }

    @Test
    void a_lifecycle_is_made_of_a_faultless_declaration_only() {
        Declaration wrong = Clusters.declared(Clusters.CLUSTER.replace("initial PENDING", "initial PENDNG"));

        assertThatThrownBy(() -> new Lifecycle(wrong))
                .hasMessage("lifecycle cluster:3: Unknown state 'PENDNG' in initial; the nearest is 'PENDING'.");
    }

    @Test
    void a_finding_is_told_as_editors_read_it() {
        assertThat(Stream.of(new Finding(3, "Wrong."), new Finding(0, "Wrong.")).map(it -> it.in("cluster.yaml")))
                .containsExactly("cluster.yaml:3: Wrong.", "cluster.yaml: Wrong.");
    }
}
