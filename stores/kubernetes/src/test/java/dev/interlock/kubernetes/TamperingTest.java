package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Page;
import dev.interlock.core.Release;
import dev.interlock.core.StoreUnavailable;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Somebody with kubectl deletes or edits Leases. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TamperingTest {
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

    private void edit(Consumer<Lease> change) {
        lease().edit(found -> {
            change.accept(found);
            return found;
        });
    }

    @Test
    void no_token_returns_when_everything_in_the_namespace_is_deleted_again_and_again() {
        List<Long> tokens = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            for (int grant = 0; grant < 3; grant++) {
                Lock lock = (grant % 2 == 0 ? pod : other).take(NAME);
                tokens.add(lock.token());
                pod.store().release(lock);
            }
            Cluster.admin().leases().inNamespace(namespace).delete();
        }

        assertThat(tokens).hasSize(12).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void no_token_returns_when_somebody_sets_the_count_back() {
        Lock first = pod.take(NAME);
        pod.store().release(first);
        edit(found -> found.getMetadata()
                .getAnnotations()
                .computeIfPresent(
                        LeaseObject.RECORD, (key, json) -> json.replace("\"token\":" + first.token(), "\"token\":1")));

        assertThat(pod.take(NAME).token()).isGreaterThan(first.token());
    }

    @Test
    void a_holder_whose_lease_was_deleted_learns_it_with_its_next_renewal() {
        Ask ask = pod.asks(NAME);
        Lock lock = Pod.granted(pod.store().acquire(ask));
        lease().delete();

        assertThat(pod.store().renew(List.of(ask.lease())).getFirst())
                .isInstanceOfSatisfying(
                        LeaseRenewal.Renewed.class,
                        renewed -> assertThat(renewed.taken())
                                .containsExactly(
                                        new LeaseRenewal.Taken(LockName.of(NAME), lock.token(), Loss.Cause.FORGOTTEN)));
        assertThat(pod.store().release(lock)).isEqualTo(new Lost(Loss.Cause.FORGOTTEN, null));
    }

    /** The holder does not know yet, so the lock does not move before it has stopped or its lease has ended. */
    @Test
    void a_lock_whose_holder_was_cleared_by_hand_is_being_released() {
        Ask ask = pod.asks(NAME);
        Lock lock = Pod.granted(pod.store().acquire(ask));
        edit(found -> found.getSpec().setHolderIdentity(null));

        Acquisition answer = other.store().acquire(other.asks(NAME));

        assertThat(Pod.held(answer).status()).isEqualTo(Lock.Status.RELEASING);
        assertThat(((LeaseRenewal.Renewed)
                                pod.store().renew(List.of(ask.lease())).getFirst())
                        .taken())
                .hasSize(1);
        assertThat(pod.store().release(lock)).isEqualTo(new Release.Released());
        other.take(NAME);
    }

    @Test
    void a_lock_that_was_given_to_somebody_else_by_hand_is_lost_to_its_holder() {
        Lock lock = pod.take(NAME);
        edit(found -> found.getSpec().setHolderIdentity("somebody-else"));

        assertThat(pod.store().renew(lock)).isInstanceOf(Lost.class);
        assertThat(Pod.held(other.store().acquire(other.asks(NAME))).holder().owner())
                .isEqualTo("somebody-else");
    }

    @Test
    void a_record_that_cannot_be_read_any_more_grants_nothing_and_says_so() {
        pod.store().release(pod.take(NAME));
        edit(found -> found.getMetadata().getAnnotations().put(LeaseObject.RECORD, "{\"tenure\":"));

        assertThatThrownBy(() -> other.store().acquire(other.asks(NAME)))
                .isInstanceOfSatisfying(StoreUnavailable.class, e -> {
                    assertThat(e.kind()).isEqualTo(StoreUnavailable.Kind.MISCONFIGURED);
                    assertThat(e).hasMessageContaining("Somebody has edited what Interlock keeps");
                });
    }

    @Test
    void a_record_of_a_newer_program_grants_nothing_and_says_so() {
        pod.store().release(pod.take(NAME));
        edit(found -> found.getMetadata()
                .getAnnotations()
                .computeIfPresent(LeaseObject.RECORD, (key, json) -> json.replace("\"format\":1", "\"format\":2")));

        assertThatThrownBy(() -> other.store().acquire(other.asks(NAME)))
                .isInstanceOfSatisfying(
                        StoreUnavailable.class, e -> assertThat(e.kind()).isEqualTo(StoreUnavailable.Kind.TOO_NEW));
    }

    @Test
    void two_names_with_one_hash_never_share_a_lock() {
        try (Pod colliding = Pod.naming(name -> "interlock-same", namespace, "pod-c")) {
            Lock lock = colliding.take("a");

            assertThatThrownBy(() -> colliding.store().acquire(colliding.asks("b")))
                    .isInstanceOfSatisfying(StoreUnavailable.class, e -> {
                        assertThat(e.kind()).isEqualTo(StoreUnavailable.Kind.MISCONFIGURED);
                        assertThat(e)
                                .hasMessageContaining("Lock 'b' cannot be kept")
                                .hasMessageContaining("lock 'a'");
                    });
            assertThat(colliding.store().release(lock)).isEqualTo(new Release.Released());
        }
    }

    @Test
    void names_whose_hashes_begin_alike_are_two_locks() {
        try (Pod alike = Pod.naming(name -> "interlock-0123456789abcdef-" + name.value(), namespace, "pod-c")) {
            alike.take("a");
            alike.take("b");

            assertThat(alike.store().list(LockFilter.ALL, Page.Request.FIRST).items())
                    .hasSize(2);
        }
    }
}
