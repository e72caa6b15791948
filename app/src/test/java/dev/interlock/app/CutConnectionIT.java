package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A worker and its store hear nothing of each other for a while, and neither is told. */
class CutConnectionIT {
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
    void a_worker_that_is_cut_off_stops_its_command_before_its_lease_ends_and_works_again_once_it_is_not()
            throws IOException {
        try (Wire wire = new Wire(force.server().address().port())) {
            Running cutOff = force.hire(Visit.over(wire, force), "--no-janitor");
            Visit visit = Visit.begin(force, "cut", Section.BEATING + Visit.FIRST_STAYS);
            long token = visit.section().awaitEntry(visit.execution());

            wire.cut();
            Running other = force.hire();
            force.awaitPhase(visit.execution(), "COMPLETED");

            visit.assertLostOnceAndCompleted();
            Trail.Event lost = Trail.of(force.server(), "cut").all("EXPIRED").getFirst();
            assertThat(visit.section().beats(token)).isNotEmpty();
            assertThat(visit.section().beatsAfter(lost.ended(), token)).isEmpty();

            wire.mend();
            other.signal("TERM");
            other.result();
            Visit next = Visit.begin(force, "mended", "true");
            force.awaitPhase(next.execution(), "COMPLETED");
            assertThat(next.owner()).isEqualTo(Workforce.id(cutOff));
        }
    }

    /**
     * The command ends in time; that it ended is sent, and stays on its way until another attempt runs:
     *
     * <pre>
     * cut off   |-- attempt 1 --| end (token 1) ..............................> store
     * other                              lease over |-- attempt 2 (token 2) -------- end --|
     * </pre>
     */
    @Test
    void an_end_that_arrives_after_its_lease_changes_nothing_for_whoever_runs_by_then() throws IOException {
        try (Wire wire = new Wire(force.server().address().port())) {
            force.hire(Visit.over(wire, force), "--no-janitor");
            Visit visit = Visit.begin(force, "late", Visit.EACH_WAITS);
            visit.section().awaitEntry(visit.execution());

            wire.cut();
            visit.open(1);
            Running.await("the end of attempt 1 on the wire", () -> wire.holdsBack(visit.execution()));
            Running other = force.hire();
            Running.await("attempt 2", () -> visit.owner().equals(Workforce.id(other)));
            wire.mend();
            Running.await("an answer from the store", () -> wire.answered() > 0);

            assertThat(force.phase(visit.execution())).isEqualTo("RUNNING");
            assertThat(visit.owner()).isEqualTo(Workforce.id(other));
            visit.open(2);
            force.awaitPhase(visit.execution(), "COMPLETED");
            assertThat(visit.section().read().violations(Set.of())).isEmpty();
            assertThat(Trail.of(force.server(), "late").violations()).isEmpty();
        }
    }
}
