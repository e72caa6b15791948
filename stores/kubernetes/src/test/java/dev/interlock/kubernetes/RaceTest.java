package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Release;
import dev.interlock.core.StoreUnavailable;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Somebody else writes between two requests of one verb. Each race is forced: the other comes just before the write. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RaceTest {
    private static final String NAME = "prod/db";

    private final String namespace = Cluster.freshNamespace();
    private final Pod pod = Pod.in(namespace, "pod-a");
    private final Pod other = Pod.in(namespace, "pod-b");

    @AfterEach
    void close() {
        other.close();
        pod.close();
    }

    private Resource<Lease> lease() {
        return Cluster.admin().leases().inNamespace(namespace).withName(ObjectNames.hashed(LockName.of(NAME)));
    }

    /** A reads the lock as free; B takes it; A's write must not replace B's. */
    @Test
    void of_two_that_read_a_free_lock_the_second_write_is_refused() {
        pod.store().release(pod.take(NAME));
        pod.beforeNext("PUT", () -> other.take(NAME));

        Acquisition answer = pod.store().acquire(pod.asks(NAME));

        assertThat(Pod.held(answer).holder().execution()).isEqualTo("exec-pod-b");
    }

    /** A finds no Lease; B creates it and takes the lock; A's creation must not be taken for a grant. */
    @Test
    void of_two_that_find_no_lease_one_creates_it() {
        pod.beforeNext("POST", () -> other.take(NAME));

        assertThat(pod.store().acquire(pod.asks(NAME))).isInstanceOf(Acquisition.Held.class);
    }

    /**
     * A finds no Lease; B creates it, holds and releases the lock, and somebody deletes the Lease; then A creates it.
     * Had A chosen its token when it found nothing, B's would come again.
     */
    @Test
    void a_name_that_came_and_went_while_it_was_being_created_does_not_get_its_token_back() {
        Lock[] gone = new Lock[1];
        pod.beforeNext("POST", () -> {
            gone[0] = other.take(NAME);
            other.store().release(gone[0]);
            lease().delete();
        });

        assertThat(pod.take(NAME).token()).isGreaterThan(gone[0].token());
    }

    /** A reads a free lock; somebody deletes its Lease; a PUT may create a Lease, but not this one. */
    @Test
    void a_lease_that_was_deleted_between_read_and_write_is_not_brought_back_to_life() {
        Lock before = pod.take(NAME);
        pod.store().release(before);
        String uid = lease().get().getMetadata().getUid();
        pod.beforeNext("PUT", () -> lease().delete());

        Lock after = pod.take(NAME);

        assertThat(after.token()).isGreaterThan(before.token());
        assertThat(lease().get().getMetadata().getUid()).isNotEqualTo(uid);
    }

    /** A renews what it remembers; B was granted the lock in the meantime, after A's lease had ended. */
    @Test
    void a_renewal_that_comes_after_a_takeover_leaves_the_successor_alone() {
        Ask ask = pod.asks(NAME, Duration.ofMillis(100));
        Lock first = Pod.granted(pod.store().acquire(ask));
        other.store().acquire(other.asks(NAME));
        other.time().skip(Duration.ofSeconds(1));
        Lock second = other.take(NAME);

        assertThat(pod.store().renew(first)).isInstanceOf(Lost.class);
        assertThat(pod.store().renew(List.of(ask.lease())).getFirst()).isInstanceOf(LeaseRenewal.Ended.class);
        assertThat(pod.store().find(LockName.of(NAME)).orElseThrow().token()).isEqualTo(second.token());
    }

    /** A releases what it remembers; B was granted the lock in the meantime. Hazard 1 of the reference design. */
    @Test
    void a_late_release_does_not_free_the_next_holder() {
        Lock first = Pod.granted(pod.store().acquire(pod.asks(NAME, Duration.ofMillis(100))));
        other.store().acquire(other.asks(NAME));
        other.time().skip(Duration.ofSeconds(1));
        Lock second = other.take(NAME);

        Release answer = pod.store().release(first);

        assertThat(((Lost) answer).why()).isEqualTo(Loss.Cause.SUPERSEDED);
        Lock current = pod.store().find(LockName.of(NAME)).orElseThrow();
        assertThat(current.token()).isEqualTo(second.token());
        assertThat(current.isHeld()).isTrue();
    }

    /** Between listing and deletion of an idle record somebody takes the lock. */
    @Test
    void pruning_never_removes_what_has_come_into_use_since_it_was_looked_at() {
        HandClock clock = new HandClock();
        try (Pod pruning = Pod.under(clock, namespace, "pod-c")) {
            pruning.store().release(pruning.take(NAME));
            clock.move(Duration.ofDays(1));
            Lock[] taken = new Lock[1];
            pruning.beforeNext("DELETE", () -> taken[0] = other.take(NAME));

            assertThat(pruning.store().prune(Duration.ofHours(1))).isZero();

            assertThat(other.store().release(taken[0])).isEqualTo(new Release.Released());
        }
    }

    /** Every write of ours finds that somebody was quicker: nothing is granted, and nothing is overwritten. */
    @Test
    void a_storm_of_conflicts_ends_in_one_clear_sentence_and_no_grant() {
        pod.store().release(pod.take(NAME));
        int[] storm = new int[1];
        pod.beforeEvery(
                "PUT",
                () -> lease().edit(found -> {
                    found.getMetadata().getAnnotations().put("example.com/storm", String.valueOf(storm[0]++));
                    return found;
                }));

        assertThatThrownBy(() -> pod.store().acquire(pod.asks(NAME)))
                .isInstanceOfSatisfying(StoreUnavailable.class, e -> {
                    assertThat(e.kind()).isEqualTo(StoreUnavailable.Kind.BUSY);
                    assertThat(e).hasMessageContaining("is being changed by so many at once");
                });

        pod.beforeEvery("PUT", () -> {});
        assertThat(pod.store().find(LockName.of(NAME)).orElseThrow().isHeld()).isFalse();
        assertThat(storm[0]).isGreaterThan(5);
    }

    /** The Lease with the queue is deleted under a waiter: it asks again for a place, and is served. */
    @Test
    void a_waiter_whose_queue_was_deleted_comes_back() throws Exception {
        pod.take(NAME);
        Entry.Queued queued = (Entry.Queued) other.store().enter(other.asks(NAME), Duration.ofMinutes(5), 10);

        lease().delete();
        other.time().skip(Duration.ofSeconds(6));

        assertThat(Pod.granted(queued.place().handover().get(30, TimeUnit.SECONDS))
                        .holder()
                        .execution())
                .isEqualTo("exec-pod-b");
    }
}
