package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A resource's state moves with the phases of its executions, in the same step. */
interface ResourceContract extends Work {
    String NAMESAKE = "clusters/blue-again";

    @Test
    default void a_start_puts_the_resource_into_the_state_of_work_in_progress() {
        registered();
        submit(request("CREATE", CLUSTER));

        Claimed claimed = claim(runner("ada"));

        Resource creating =
                new Resource(Declared.CLUSTER, "CREATING", claimed.execution().id());
        assertThat(claimed.resource()).isEqualTo(creating);
        assertThat(resource(CLUSTER)).isEqualTo(creating);
        assertThat(claimed.workflow())
                .isEqualTo(
                        Objects.requireNonNull(Declared.CLUSTER.step("CREATE")).workflow());
    }

    @Test
    default void success_and_failure_lead_where_the_lifecycle_says() {
        registered();
        create();
        assertThat(resource(CLUSTER)).isEqualTo(new Resource(Declared.CLUSTER, "READY", null));

        submit(request("SCALE_WORKERS", CLUSTER));
        Claimed scaling = claim(runner("ada"));
        finish(scaling, Work.failed(scaling, RetryClass.PERMANENT));

        assertThat(resource(CLUSTER)).isEqualTo(new Resource(Declared.CLUSTER, "FAILED", null));
    }

    @Test
    default void a_workflow_that_the_state_does_not_allow_is_skipped() {
        registered();

        Execution skipped = submit(request("DESTROY", CLUSTER));

        assertThat(Work.ending(Ending.Skipped.class, skipped).code()).isEqualTo("InvalidState");
    }

    @Test
    default void a_workflow_that_the_lifecycle_does_not_have_fails() {
        registered();

        assertThat(submit(request("deploy", CLUSTER)).phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    default void a_worker_offers_the_workflow_of_a_lifecycle_by_both_names() {
        registered();
        submit(request("CREATE", CLUSTER));

        assertThat(claimAll(Runner.offering("ada", Set.of("CREATE")))).isEmpty();
        assertThat(claimAll(Runner.offering("grace", Set.of("cluster/CREATE")))).hasSize(1);
    }

    @Test
    default void what_waits_behind_work_is_judged_by_the_state_that_the_work_leaves() {
        registered();
        submit(request("CREATE", CLUSTER));
        Claimed creating = claim(runner("ada"));
        Execution destroy = submit(request("DESTROY", CLUSTER));
        assertThat(destroy.phase()).isEqualTo(Phase.PENDING);
        assertThat(claimAll(runner("grace"))).isEmpty();

        complete(creating);

        assertThat(claim(runner("grace")).execution().id()).isEqualTo(destroy.id());
    }

    @Test
    default void between_two_attempts_the_resource_stays_in_the_hands_of_its_execution() {
        registered();
        create();
        submit(request("SCALE_WORKERS", CLUSTER));
        Claimed scaling = claim(runner("ada"));
        finish(scaling, Work.failed(scaling, RetryClass.TRANSIENT));

        assertThat(resource(CLUSTER).under()).isEqualTo(scaling.execution().id());
        age(Duration.ofHours(1));
        assertThat(claim(runner("grace")).attempt().number()).isEqualTo(2);
    }

    @Test
    default void one_cancelled_between_two_attempts_leaves_its_resource_failed() {
        registered();
        create();
        submit(request("SCALE_WORKERS", CLUSTER));
        Claimed scaling = claim(runner("ada"));
        finish(scaling, Work.failed(scaling, RetryClass.TRANSIENT));

        here().cancel(scaling.execution().id(), ALICE, "enough");

        assertThat(resource(CLUSTER)).isEqualTo(new Resource(Declared.CLUSTER, "FAILED", null));
    }

    @Test
    default void a_stopped_one_leaves_its_resource_failed() {
        registered();
        submit(request("CREATE", CLUSTER));
        Claimed creating = claim(runner("ada"));
        here().cancel(creating.execution().id(), ALICE, "wrong region");

        finish(creating, new Outcome.Stopped(143, creating.attempt().startedAt()));

        assertThat(resource(CLUSTER)).isEqualTo(new Resource(Declared.CLUSTER, "FAILED", null));
    }

    @Test
    default void a_recovery_is_let_through_and_its_success_clears_what_it_recovered_from() {
        registered();
        submit(request("CREATE", CLUSTER));
        Claimed creating = claim(runner("ada"));
        Execution failed = Work.moved(finish(creating, Work.failed(creating, RetryClass.PERMANENT)));
        Execution recovery = submit(request("DESTROY", CLUSTER));

        complete(claim(runner("grace")));

        assertThat(resource(CLUSTER).state()).isEqualTo("DESTROYED");
        assertThat(Objects.requireNonNull(now(failed).clearance()).by()).isEqualTo("recovery by " + recovery.id());
    }

    @Test
    default void what_would_take_a_name_again_that_another_has_by_now_is_skipped_with_the_other_named() {
        destroyed();
        register(NAMESAKE, "cluster", Map.of("name", "blue"));

        Execution skipped = submit(request("REVIVE", CLUSTER));

        Ending.Skipped how = Work.ending(Ending.Skipped.class, skipped);
        assertThat(how.code()).isEqualTo("InvalidState");
        assertThat(how.sentence()).contains("resource '" + NAMESAKE + "' has taken it");
        assertThat(resource(CLUSTER)).isEqualTo(new Resource(Declared.CLUSTER, "DESTROYED", null));
    }

    @Test
    default void a_name_that_is_taken_while_somebody_waits_for_it_is_found_taken_at_the_start() {
        destroyed();
        Execution waiting = submit(request("REVIVE", CLUSTER));
        assertThat(waiting.phase()).isEqualTo(Phase.PENDING);
        register(NAMESAKE, "cluster", Map.of("name", "blue"));

        assertThat(claimAll(runner("ada"))).isEmpty();

        assertThat(Work.ending(Ending.Skipped.class, now(waiting)).sentence()).contains("'" + NAMESAKE + "'");
    }

    @Test
    default void a_name_that_nobody_else_has_is_taken_again() {
        destroyed();
        submit(request("REVIVE", CLUSTER));

        complete(claim(runner("ada")));

        assertThat(resource(CLUSTER)).isEqualTo(new Resource(Declared.CLUSTER, "READY", null));
    }

    private void destroyed() {
        registered();
        create();
        submit(request("DESTROY", CLUSTER));
        complete(claim(runner("destroyer")));
        assertThat(resource(CLUSTER).state()).isEqualTo("DESTROYED");
    }

    private void registered() {
        register(CLUSTER, "cluster", Map.of("name", "blue"));
    }

    private void create() {
        submit(request("CREATE", CLUSTER));
        complete(claim(runner("creator")));
    }
}
