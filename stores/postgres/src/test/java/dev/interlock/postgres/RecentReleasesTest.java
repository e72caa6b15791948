package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.LockName;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class RecentReleasesTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final UUID LEASE = new UUID(0, 1);
    private static final UUID OTHER_LEASE = new UUID(0, 2);

    private final RecentReleases recent = new RecentReleases();

    @Test
    void what_went_together_can_be_said_again_in_full() {
        recent.add(List.of(release("a", 7, LEASE), release("b", 8, OTHER_LEASE)));
        recent.add(List.of(release("c", 9, LEASE)));
        assertThat(recent.takeAll())
                .extracting(one -> one.name.value(), one -> one.token, one -> one.lease)
                .containsExactly(tuple("a", 7, LEASE), tuple("b", 8, OTHER_LEASE), tuple("c", 9, LEASE));
    }

    @Test
    void what_was_taken_to_be_said_again_is_taken_once() {
        recent.add(List.of(release("a", 7, LEASE)));
        assertThat(recent.takeAll()).hasSize(1);
        assertThat(recent.takeAll()).isEmpty();
    }

    @Test
    void an_answered_release_is_kept_for_as_long_as_the_server_may_not_have_written_it() {
        recent.keepBeyond(Duration.ofSeconds(2));
        recent.answered(recent.add(List.of(release("a", 7, LEASE))), 0);
        recent.answered(recent.add(List.of(release("b", 8, LEASE))), 5 * SECOND);
        assertThat(names()).containsExactly("a", "b");

        recent.answered(recent.add(List.of(release("a", 7, LEASE))), 0);
        recent.answered(recent.add(List.of(release("b", 8, LEASE))), 5 * SECOND + 1);
        assertThat(names()).containsExactly("b");
    }

    /** Its time begins with the answer: until then nobody knows when the server carried it out. */
    @Test
    void one_without_an_answer_is_kept_and_so_is_whatever_was_given_back_after_it() {
        recent.add(List.of(release("a", 7, LEASE)));
        recent.answered(recent.add(List.of(release("b", 8, LEASE))), 0);
        recent.answered(recent.add(List.of(release("c", 9, LEASE))), 3600 * SECOND);
        assertThat(names()).containsExactly("a", "b", "c");
    }

    private List<String> names() {
        return recent.takeAll().stream().map(one -> one.name.value()).toList();
    }

    private static Tuple tuple(String name, long token, UUID lease) {
        return Tuple.tuple(name, token, lease);
    }

    private static Releasing.Request release(String name, long token, UUID lease) {
        return new Releasing.Request(LockName.of(name), token, lease);
    }
}
