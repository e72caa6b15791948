package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Entry;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An elector by the rules of client-go and Interlock share one Lease. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ElectorTest {
    private static final String NAME = "prod/leader";
    private static final Duration ELECTED = Duration.ofSeconds(15);

    private final String namespace = Cluster.freshNamespace();
    private final Pod pod = Pod.in(namespace, "pod-a");

    @AfterEach
    void close() {
        pod.close();
    }

    private Resource<Lease> lease() {
        return Cluster.admin().leases().inNamespace(namespace).withName(ObjectNames.hashed(LockName.of(NAME)));
    }

    private Elector elector(Duration skew) {
        return new Elector(lease(), "elector-1", ELECTED, skew);
    }

    @Test
    void they_hold_it_in_turn() {
        Elector elector = elector(Duration.ZERO);
        Lock first = pod.take(NAME);
        assertThat(elector.tries()).isFalse();

        pod.store().release(first);
        assertThat(elector.tries()).isTrue();
        Lock foreign = Pod.held(pod.store().acquire(pod.asks(NAME)));
        assertThat(foreign.holder().owner()).isEqualTo("elector-1");
        assertThat(elector.tries()).as("a renewal beside our refusals").isTrue();

        assertThat(elector.releases()).isTrue();
        Lock second = pod.take(NAME);
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(lease().get().getSpec().getLeaseTransitions()).isEqualTo(3);
    }

    /** Whatever its clock shows: only whether it renews counts. Hazard 3 of the reference design. */
    @ParameterizedTest
    @ValueSource(longs = {-3600, 0, 3600})
    void an_elector_that_renews_is_not_robbed_and_one_that_has_died_is_not_waited_for(long skewSeconds) {
        Elector elector = elector(Duration.ofSeconds(skewSeconds));
        pod.store().release(pod.take(NAME));
        assertThat(elector.tries()).isTrue();

        for (int round = 0; round < 5; round++) {
            assertThat(pod.store().acquire(pod.asks(NAME))).isInstanceOf(Acquisition.Held.class);
            passes(elector, Duration.ofSeconds(10));
            assertThat(elector.tries()).isTrue();
        }

        pod.store().acquire(pod.asks(NAME));
        passes(elector, Duration.ofSeconds(10));
        assertThat(pod.store().acquire(pod.asks(NAME))).isInstanceOf(Acquisition.Held.class);
        passes(elector, Duration.ofSeconds(6));
        pod.take(NAME);
        assertThat(elector.tries()).isFalse();
    }

    private void passes(Elector elector, Duration elapsed) {
        elector.passes(elapsed);
        pod.time().skip(elapsed);
    }

    @Test
    void an_elector_sees_our_renewals_and_takes_over_when_they_stop() {
        Elector elector = elector(Duration.ofHours(1));
        Lock lock = pod.take(NAME);
        assertThat(elector.tries()).isFalse();
        elector.passes(Duration.ofSeconds(20));
        assertThat(elector.tries()).isFalse();
        pod.store().renew(lock);
        elector.passes(Duration.ofSeconds(20));
        assertThat(elector.tries()).isFalse();

        elector.passes(Duration.ofSeconds(31));

        assertThat(elector.tries()).isTrue();
        assertThat(pod.store().renew(lock)).isNotInstanceOf(dev.interlock.core.Renewal.Renewed.class);
    }

    /** A holder that wrote no times is given one lease of ours, from when it was first seen. */
    @Test
    void a_holder_without_times_is_not_waited_for_for_ever() {
        pod.store().release(pod.take(NAME));
        lease().edit(found -> {
            found.getSpec().setHolderIdentity("nobody-knows");
            found.getSpec().setRenewTime(null);
            found.getSpec().setAcquireTime(null);
            found.getSpec().setLeaseDurationSeconds(null);
            return found;
        });

        assertThat(pod.store().acquire(pod.asks(NAME))).isInstanceOf(Acquisition.Held.class);
        pod.time().skip(Duration.ofSeconds(29));
        assertThat(pod.store().acquire(pod.asks(NAME))).isInstanceOf(Acquisition.Held.class);
        pod.time().skip(Duration.ofSeconds(2));

        pod.take(NAME);
    }

    @Test
    void a_waiter_is_served_when_the_elector_gives_way() throws Exception {
        Elector elector = elector(Duration.ZERO);
        pod.store().release(pod.take(NAME));
        assertThat(elector.tries()).isTrue();
        Entry.Queued queued = (Entry.Queued) pod.store().enter(pod.asks(NAME), Duration.ofHours(1), 10);
        assertThat(elector.tries()).isTrue();

        assertThat(elector.releases()).isTrue();

        assertThat(Pod.granted(queued.place().handover().get(30, TimeUnit.SECONDS))
                        .holder()
                        .execution())
                .isEqualTo("exec-pod-a");
    }
}
