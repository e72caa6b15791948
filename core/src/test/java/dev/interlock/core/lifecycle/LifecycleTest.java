package dev.interlock.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Resource.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifecycleTest {
    private static final Lifecycle CLUSTER = Clusters.cluster();
    private static final List<String> STATES =
            CLUSTER.declaration().states().stream().map(Word::text).toList();
    private static final List<String> WORKFLOWS = CLUSTER.declaration().steps().stream()
            .map(workflow -> workflow.name().text())
            .toList();

    private static final Set<String> ALLOWED = Set.of(
            "CREATE in PENDING",
            "DESTROY in READY",
            "DESTROY in FAILED",
            "JANITOR_DESTROY in READY",
            "JANITOR_DESTROY in FAILED",
            "SCALE_WORKERS in READY");

    /** The checker: all pairs of workflow and state about which somebody and the table differ. */
    private static List<String> differences(BiPredicate<String, String> allows) {
        List<String> found = new ArrayList<>();
        for (String workflow : WORKFLOWS) {
            for (String state : STATES) {
                String pair = workflow + " in " + state;
                if (allows.test(workflow, state) != ALLOWED.contains(pair)) {
                    found.add(pair);
                }
            }
        }
        return found;
    }

    private static boolean allows(String workflow, String state) {
        return new Resource(CLUSTER, state, null).allows(workflow, "exec-1");
    }

    @Test
    void every_workflow_is_allowed_or_refused_in_every_state() {
        assertThat(WORKFLOWS).hasSize(4);
        assertThat(STATES).hasSize(7);
        assertThat(differences(LifecycleTest::allows)).isEmpty();
    }

    @Test
    void a_lifecycle_with_any_one_pair_wrong_is_caught() {
        for (String one : WORKFLOWS) {
            for (String other : STATES) {
                assertThat(differences((workflow, state) ->
                                allows(workflow, state) ^ (workflow.equals(one) && state.equals(other))))
                        .containsExactly(one + " in " + other);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CREATE,          PENDING, CREATING,   READY,     FAILED",
        "DESTROY,         READY,   DESTROYING, DESTROYED, FAILED",
        "DESTROY,         FAILED,  DESTROYING, DESTROYED, FAILED",
        "JANITOR_DESTROY, READY,   DESTROYING, DESTROYED, FAILED",
        "JANITOR_DESTROY, FAILED,  DESTROYING, DESTROYED, FAILED",
        "SCALE_WORKERS,   READY,   SCALING,    READY,     FAILED",
    })
    void a_workflow_leads_through_its_states(
            String workflow, String from, String during, String success, String failure) {
        Resource begun = changed(new Resource(CLUSTER, from, null).begin(workflow, "exec-1"));

        assertThat(begun).isEqualTo(new Resource(CLUSTER, during, "exec-1"));
        assertThat(changed(begun.succeed(workflow, "exec-1"))).isEqualTo(new Resource(CLUSTER, success, null));
        assertThat(changed(begun.fail(workflow, "exec-1"))).isEqualTo(new Resource(CLUSTER, failure, null));
    }

    @Test
    void a_resource_begins_in_the_initial_state() {
        assertThat(Resource.born(CLUSTER)).isEqualTo(new Resource(CLUSTER, "PENDING", null));
    }

    @Test
    void what_an_execution_has_begun_is_open_to_that_execution_alone() {
        Resource creating = new Resource(CLUSTER, "CREATING", "exec-1");

        assertThat(changed(creating.begin("CREATE", "exec-1"))).isEqualTo(creating);
        assertThat(creating.begin("CREATE", "exec-2")).isEqualTo(new Change.NotAllowed("CREATING", List.of("PENDING")));
        assertThat(creating.begin("DESTROY", "exec-1"))
                .isEqualTo(new Change.NotAllowed("CREATING", List.of("READY", "FAILED")));
        assertThat(creating.succeed("CREATE", "exec-2"))
                .isEqualTo(new Change.NotAllowed("CREATING", List.of("CREATING")));
        assertThat(creating.fail("DESTROY", "exec-1"))
                .isEqualTo(new Change.NotAllowed("CREATING", List.of("DESTROYING")));
        assertThat(creating.allows("CREATE", null)).isFalse();
    }

    @Test
    void what_nobody_has_begun_cannot_end() {
        assertThat(Resource.born(CLUSTER).succeed("CREATE", "exec-1"))
                .isEqualTo(new Change.NotAllowed("PENDING", List.of("CREATING")));
    }

    @Test
    void a_workflow_that_starts_from_a_failure_state_is_a_recovery() {
        assertThat(STATES.stream().filter(CLUSTER::isFailureState)).containsExactly("FAILED");
        assertThat(WORKFLOWS.stream().filter(workflow -> CLUSTER.recoversFrom("FAILED", workflow)))
                .containsExactly("DESTROY", "JANITOR_DESTROY");
        assertThat(CLUSTER.recoversFrom("READY", "DESTROY")).isFalse();
        assertThat(CLUSTER.recoversFrom("FAILED", "UPGRADE")).isFalse();
    }

    @Test
    void a_state_in_which_work_also_succeeds_or_begins_is_no_failure_state() {
        Lifecycle backup = new Lifecycle(Clusters.declared("""
                lifecycle backup
                states NEW IDLE SAVING
                initial NEW
                workflow INSTALL from NEW during SAVING success IDLE failure NEW
                workflow SAVE from IDLE during SAVING success IDLE failure IDLE
                """));

        assertThat(backup.isFailureState("IDLE")).isFalse();
        assertThat(backup.isFailureState("NEW")).isFalse();
    }

    @Test
    void a_name_is_taken_until_the_resource_is_destroyed() {
        Map<String, String> fields = Map.of("name", "c1", "platform", "aws", "base_domain", "example.com", "size", "3");

        for (String state : STATES) {
            assertThat(CLUSTER.uniqueName(state, fields))
                    .isEqualTo(state.equals("DESTROYED") ? null : List.of("c1", "aws", "example.com"));
        }
        assertThat(CLUSTER.uniqueName("READY", Map.of("name", "c1"))).containsExactly("c1", "", "");
    }

    @Test
    void an_unknown_workflow_is_answered_with_the_nearest() {
        assertThat(CLUSTER.unknown("destory"))
                .isEqualTo("Lifecycle 'cluster' has no workflow 'destory'; the nearest is 'DESTROY'.");
        assertThatThrownBy(() -> Resource.born(CLUSTER).begin("SCALE", "exec-1"))
                .hasMessage("Lifecycle 'cluster' has no workflow 'SCALE'; the nearest is 'CREATE'.");
    }

    private static Resource changed(Change change) {
        return switch (change) {
            case Change.Changed(Resource resource) -> resource;
            case Change.NotAllowed refused -> throw new AssertionError(refused);
        };
    }
}
