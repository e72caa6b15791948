package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.LockName;
import dev.interlock.core.work.WorkerStore.Worker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PostgresWorkersTest extends WorkDatabase {
    private final Lease lease = Asker.named("alice", Duration.ofMinutes(1)).lease();
    private final String id = lease.owner();

    private void present(int slots) {
        here.workers().present(lease, slots, Set.of("ring", "door/SHUT"), "0.1.0");
    }

    private Worker only() {
        assertThat(elsewhere.workers().workers()).hasSize(1);
        return elsewhere.workers().workers().getFirst();
    }

    @Test
    void a_worker_is_shown_as_it_presented_itself() {
        present(4);
        Worker shown = only();
        assertThat(shown).isEqualTo(new Worker(id, 4, Set.of("ring", "door/SHUT"), "0.1.0", shown.since(), false, 0));
    }

    @Test
    void presenting_again_changes_what_it_offers_and_not_since_when() {
        present(4);
        Worker before = only();
        present(2);
        assertThat(only()).isEqualTo(new Worker(id, 2, before.workflows(), "0.1.0", before.since(), false, 0));
    }

    /** Before it has held anything, so that nobody else has opened its lease. */
    @Test
    void a_worker_that_presents_itself_has_a_lease_to_renew() {
        present(4);
        assertThat(here.locks().renew(List.of(lease)).getFirst()).isInstanceOf(LeaseRenewal.Renewed.class);
        Asker asker = new Asker(Asker.named("alice", lease.duration()).holder(), lease);
        assertThat(Asker.granted(here.locks().acquire(asker.asks(LockName.of("x"))))
                        .grant()
                        .lease())
                .isEqualTo(lease.id());
    }

    @Test
    void a_worker_disappears_with_its_lease() throws SQLException {
        present(4);
        Session.askOnce(database, "UPDATE interlock.lease SET expires_at = clock_timestamp() - interval '1 ms'");
        assertThat(elsewhere.workers().workers()).isEmpty();
        assertThat(elsewhere.workers().drain(id, "bob")).isFalse();
    }

    @Test
    void an_ended_lease_is_not_opened_again_by_presenting() {
        present(4);
        here.locks().end(lease);
        present(4);
        assertThat(elsewhere.workers().workers()).isEmpty();
    }

    @Test
    void a_worker_leaves() {
        present(4);
        here.workers().leave(id);
        assertThat(elsewhere.workers().workers()).isEmpty();
        here.workers().leave(id);
    }

    @Test
    void what_a_worker_runs_is_counted() throws SQLException {
        present(4);
        for (int run = 0; run < 3; run++) {
            ExecutionRows.insert(database, "exec-" + run, run < 2 ? "RUNNING" : "COMPLETED", 1, 7, id);
        }
        ExecutionRows.insert(database, "exec-x", "RUNNING", 1, 7, "somebody else");
        assertThat(only().running()).isEqualTo(2);
    }

    @Test
    void a_drain_is_ordered_once_and_seen_by_the_worker() throws SQLException {
        present(4);
        assertThat(here.workers().isDrained(id)).isFalse();
        assertThat(elsewhere.workers().drain(id, "bob")).isTrue();
        assertThat(elsewhere.workers().drain(id, "carol")).isTrue();
        assertThat(elsewhere.workers().drain("nobody", "bob")).isFalse();

        assertThat(here.workers().isDrained(id)).isTrue();
        present(4);
        assertThat(only().draining()).isTrue();
        assertThat(events()).isEqualTo("DRAIN_ORDERED " + id + " by bob");
    }

    @Test
    void of_two_who_drain_at_once_one_is_in_the_audit_trail() throws Exception {
        present(4);
        other.ask("SELECT 1 FROM interlock.worker FOR UPDATE");
        var one = Session.beside(() -> here.workers().drain(id, "bob"));
        var two = Session.beside(() -> elsewhere.workers().drain(id, "carol"));
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(List.of(one.join(), two.join())).containsOnly(true);
        assertThat(count("interlock.history WHERE event = 'DRAIN_ORDERED'")).isEqualTo(1);
    }
}
