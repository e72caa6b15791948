package dev.interlock.bench.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final Backlog THREE = new Backlog(0, 3, 10, 2);

    @Test
    void each_target_has_a_job_in_turn_numbered_in_its_own_line() {
        assertThat(THREE.jobs()).containsExactly(new Job(10, 0), new Job(11, 0), new Job(10, 1));
    }

    @Test
    void what_comes_next_goes_on_where_it_ended() {
        assertThat(THREE.next(2).jobs()).containsExactly(new Job(11, 1), new Job(10, 2));
    }

    @Test
    void a_backlog_reads_as_it_was_written() {
        assertThat(Backlog.parse(List.of(THREE.line().strip().split(" ", -1)))).isEqualTo(THREE);
    }
}
