package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A worker stands still for longer than its lease, and then goes on as if nothing had happened. */
class FrozenWorkerIT {
    private static Workforce force;

    @BeforeAll
    static void startStore() throws IOException, SQLException {
        force = Workforce.declaring(Visit.DECLARATIONS);
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException, SQLException {
        force.close();
    }

    @AfterEach
    void endWhatWasStarted() {
        force.dismiss();
    }

    @Test
    void a_frozen_worker_loses_its_command_before_its_lease_ends_and_once_thawed_works_again() throws IOException {
        Running frozen = force.hire("--no-janitor");
        Visit visit = Visit.begin(force, "cold", Section.BEATING + Visit.FIRST_STAYS);
        long token = visit.section().awaitEntry(visit.execution());

        frozen.signal("STOP");
        Running other = force.hire();
        force.awaitPhase(visit.execution(), "COMPLETED");

        visit.assertLostOnceAndCompleted();
        Trail.Event lost = Trail.of(force.server(), "cold").all("EXPIRED").getFirst();
        assertThat(visit.section().beats(token)).isNotEmpty();
        assertThat(visit.section().beatsAfter(lost.ended(), token)).isEmpty();

        other.signal("TERM");
        other.result();
        frozen.signal("CONT");
        Visit next = Visit.begin(force, "thawed", "true");
        force.awaitPhase(next.execution(), "COMPLETED");
        assertThat(next.owner()).isEqualTo(Workforce.id(frozen));
        visit.assertLostOnceAndCompleted();
    }

    /**
     * It stops between telling the end of its attempt and hearing the answer, which it reads when another attempt runs:
     *
     * <pre>
     * frozen  |-- attempt 1 --| end (token 1) ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ refused; says it again: refused
     * other                          lease over |-- attempt 2 (token 2) ------------------------------- end --|
     * </pre>
     */
    @Test
    void what_a_thawed_worker_tells_of_an_attempt_that_is_lost_is_refused_and_noted() throws IOException {
        try (Wire wire = new Wire(force.server().address().port())) {
            Running frozen = force.hire(Visit.over(wire, force), "--no-janitor");
            Visit visit = Visit.begin(force, "stale", Visit.EACH_WAITS);
            long token = visit.section().awaitEntry(visit.execution());

            wire.cut();
            visit.open(1);
            Running.await("the end of attempt 1 on the wire", () -> wire.holdsBack(visit.execution()));
            frozen.signal("STOP");
            Running other = force.hire();
            Running.await("attempt 2", () -> visit.owner().equals(Workforce.id(other)));
            wire.mend();
            Running.await("an answer from the store", () -> wire.answered() > 0);
            frozen.signal("CONT");

            Running.await("a note of the refusal", () -> !stale().isEmpty());
            assertThat(stale()).containsOnly(token);
            assertThat(force.phase(visit.execution())).isEqualTo("RUNNING");
            visit.open(2);
            force.awaitPhase(visit.execution(), "COMPLETED");
            assertThat(visit.section().read().violations(Set.of())).isEmpty();
            assertThat(Trail.of(force.server(), "stale").violations()).isEmpty();
        }
    }

    private static Set<Long> stale() {
        return Trail.of(force.server(), "stale").all("STALE").stream()
                .map(Trail.Event::token)
                .collect(Collectors.toSet());
    }
}
