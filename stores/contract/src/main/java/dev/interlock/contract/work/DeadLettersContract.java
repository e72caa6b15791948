package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.DeadLetters;
import dev.interlock.core.work.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What failed for good waits for a person, who asks for it again or lets it go. */
interface DeadLettersContract extends Work {
    @Test
    default void the_longest_dead_come_first_page_by_page() {
        List<String> expected = new ArrayList<>();
        for (int number = 0; number < 5; number++) {
            expected.add(dead("deploy", TARGET + number).id());
            age(Duration.ofSeconds(1));
        }

        List<String> found = new ArrayList<>();
        Page<Standing> page = new Page<>(List.of(), null);
        do {
            page = deadLetters().list(new Page.Request(page.next(), 2));
            page.items().forEach(letter -> found.add(letter.execution().id()));
        } while (page.next() != null);

        assertThat(found).isEqualTo(expected);
        assertThat(deadLetters().backlog().letters()).isEqualTo(5);
        assertThat(deadLetters().backlog().oldest())
                .isBefore(deadLetters().backlog().seenAt());
    }

    @Test
    default void requeueing_asks_for_the_same_again_and_takes_the_letter_off() {
        Execution dead = dead("deploy", TARGET);

        DeadLetters.Requeued answer = deadLetters().requeue(dead.id(), ALICE);

        Execution again = claim(runner("ada")).execution();
        assertThat(answer)
                .isInstanceOfSatisfying(
                        DeadLetters.Submitted.class,
                        submitted -> assertThat(submitted.execution().id()).isEqualTo(again.id()));
        assertThat(again.request()).isEqualTo(dead.request().withIdempotencyKey("requeue:" + dead.id()));
        assertThat(letters()).isEmpty();
        assertThat(deadLetters().find(dead.id())).isEmpty();
    }

    @Test
    default void however_often_it_is_requeued_one_execution_comes_of_it() {
        Execution dead = dead("deploy", TARGET);
        deadLetters().requeue(dead.id(), ALICE);
        Execution again = claim(runner("ada")).execution();

        assertThat(deadLetters().requeue(dead.id(), ALICE)).isEqualTo(new DeadLetters.Repeated(again));
        assertThat(claimAll(runner("grace"))).isEmpty();
    }

    @Test
    default void what_admission_refuses_stays_among_the_letters_until_it_is_cleared() {
        Execution dead = dead("restart", TARGET);

        assertThat(deadLetters().requeue(dead.id(), ALICE)).isInstanceOf(DeadLetters.Refused.class);
        assertThat(letters()).containsExactly(dead.id());

        here().clear(LockName.of(TARGET), ALICE, "looked at it");
        assertThat(deadLetters().requeue(dead.id(), ALICE)).isInstanceOf(DeadLetters.Submitted.class);
        assertThat(letters()).isEmpty();
    }

    @Test
    default void discarding_takes_the_letter_off_and_nothing_else() {
        Execution dead = dead("deploy", TARGET);

        assertThat(deadLetters().discard(dead.id(), ALICE, "not needed")).isEqualTo(new DeadLetters.Gone(dead.id()));

        assertThat(letters()).isEmpty();
        assertThat(now(dead).phase()).isEqualTo(Phase.FAILED);
        assertThat(deadLetters().discard(dead.id(), ALICE, "again")).isEqualTo(new DeadLetters.NotDead(dead.id()));
    }

    @Test
    default void what_is_not_dead_cannot_be_requeued() {
        submit(deploy(TARGET));
        String id = claim(runner("ada")).execution().id();

        assertThat(deadLetters().requeue(id, ALICE)).isEqualTo(new DeadLetters.NotDead(id));
        assertThat(deadLetters().requeue("nobody", ALICE)).isEqualTo(new DeadLetters.NotDead("nobody"));
        assertThat(deadLetters().backlog().letters()).isZero();
    }

    /** An execution that failed for good, in the middle of its work. */
    private Execution dead(String workflow, String target) {
        submit(request(workflow, target));
        Claimed claimed = claim(runner("unlucky"));
        return Work.moved(finish(claimed, Work.failed(claimed, RetryClass.PERMANENT)));
    }

    private List<String> letters() {
        return deadLetters().list(Page.Request.FIRST).items().stream()
                .map(standing -> standing.execution().id())
                .toList();
    }
}
