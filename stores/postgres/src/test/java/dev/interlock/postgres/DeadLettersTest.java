package dev.interlock.postgres;

import static dev.interlock.postgres.Household.PATIENCE;
import static dev.interlock.postgres.Household.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.DeadLetters;
import dev.interlock.core.work.Standing;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadLettersTest extends HouseholdTest {
    /** An execution that failed for good. */
    private Execution dead(String workflow, String target) {
        Claimed lost = house.start(workflow, target);
        house.age(Household.LEASE.plus(PATIENCE.grace()));
        house.janitor.act(house.look().getFirst(), PATIENCE.withCrashes(1));
        return house.now(lost);
    }

    private List<String> letters() {
        return house.dead.list(Page.Request.FIRST).items().stream()
                .map(standing -> standing.execution().id())
                .toList();
    }

    @Test
    void the_longest_dead_come_first_page_by_page() {
        List<String> expected = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            expected.add(dead("backup", TARGET + n).id());
        }

        List<String> found = new ArrayList<>();
        Page<Standing> page = new Page<>(List.of(), null);
        do {
            page = house.dead.list(new Page.Request(page.next(), 2));
            page.items().forEach(letter -> found.add(letter.execution().id()));
        } while (page.next() != null);

        assertThat(found).isEqualTo(expected);
        assertThat(house.dead.backlog().letters()).isEqualTo(5);
        assertThat(house.dead.backlog().oldest()).isNotNull();
    }

    @Test
    void requeueing_asks_for_the_same_again_and_takes_the_letter_off() {
        Execution dead = dead("backup", TARGET);

        var answer = (DeadLetters.Submitted) house.dead.requeue(dead.id(), "bob");

        Execution again = house.claim("worker").execution();
        assertThat(again.id()).isEqualTo(answer.execution().id()).isNotEqualTo(dead.id());
        assertThat(again.request()).isEqualTo(dead.request().withIdempotencyKey("requeue:" + dead.id()));
        assertThat(letters()).isEmpty();
        assertThat(house.dead.find(dead.id())).isEmpty();
        assertThat(house.ask("SELECT actor FROM interlock.history WHERE event = 'REQUEUED'"))
                .isEqualTo("bob");
    }

    // one click                              another
    // takes the row of the letter            waits for it
    // submits, takes the letter off
    //                                        finds what the first one submitted
    @Test
    void two_clicks_at_once_make_one_execution() throws SQLException {
        Execution dead = dead("backup", TARGET);
        try (Session other = Session.open(database)) {
            other.ask("SELECT id FROM interlock.execution WHERE id = ? FOR UPDATE", dead.id());
            var one = Session.beside(() -> house.dead.requeue(dead.id(), "bob"));
            var two = Session.beside(() -> house.dead.requeue(dead.id(), "carol"));
            Session.awaitBlocked(database, 2);

            other.rollback();

            assertThat(List.of(one.join(), two.join()))
                    .hasOnlyElementsOfTypes(DeadLetters.Submitted.class, DeadLetters.Repeated.class)
                    .doesNotHaveDuplicates();
        }
        assertThat(house.ask("SELECT count(*) FROM interlock.execution")).isEqualTo(2L);
        assertThat(house.events("REQUEUED")).isEqualTo(1);
    }

    @Test
    void what_admission_refuses_stays_among_the_letters_and_can_be_requeued_once_it_is_cleared() {
        Execution dead = dead("deploy", TARGET);

        var refused = house.dead.requeue(dead.id(), "bob");

        assertThat(refused).isInstanceOf(DeadLetters.Refused.class);
        assertThat(letters()).containsExactly(dead.id());
        assertThat(house.events("REFUSED")).isEqualTo(1);
        house.work.executions().clear(LockName.of(TARGET), "bob", "looked at it");
        assertThat(house.dead.requeue(dead.id(), "bob")).isInstanceOf(DeadLetters.Submitted.class);
        assertThat(letters()).isEmpty();
    }

    @Test
    void discarding_takes_the_letter_off_and_nothing_else() {
        Execution dead = dead("deploy", TARGET);

        assertThat(house.dead.discard(dead.id(), "bob", "not needed")).isEqualTo(new DeadLetters.Gone(dead.id()));

        assertThat(letters()).isEmpty();
        assertThat(house.standing(dead.id()).execution().phase()).isEqualTo(Phase.FAILED);
        assertThat(house.ask("SELECT detail FROM interlock.history WHERE event = 'DISCARDED'"))
                .isEqualTo("not needed");
        assertThat(house.dead.discard(dead.id(), "bob", "again")).isEqualTo(new DeadLetters.NotDead(dead.id()));
    }

    @Test
    void what_is_not_dead_cannot_be_requeued() {
        Claimed running = house.start("backup", TARGET);
        String id = running.execution().id();

        assertThat(house.dead.requeue(id, "bob")).isEqualTo(new DeadLetters.NotDead(id));
        assertThat(house.dead.requeue("nobody", "bob")).isEqualTo(new DeadLetters.NotDead("nobody"));
        assertThat(house.dead.backlog().letters()).isZero();
    }
}
