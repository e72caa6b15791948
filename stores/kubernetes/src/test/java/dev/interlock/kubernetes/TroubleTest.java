package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Ports;
import dev.interlock.core.Release;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import dev.interlock.testing.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What is wrong is said in one sentence, and nothing is granted. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TroubleTest {
    private static final String NAME = "prod/db";

    private static void assertRefused(Pod pod, Kind kind, String part) {
        assertThatThrownBy(() -> pod.store().acquire(pod.asks(NAME)))
                .isInstanceOfSatisfying(StoreUnavailable.class, e -> {
                    assertThat(e.kind()).isEqualTo(kind);
                    assertThat(e).hasMessageContaining(part);
                    assertThat(e.getMessage()).doesNotContain("Exception", "\n");
                });
    }

    @Test
    void without_an_identity_the_store_does_not_open() {
        for (String blank : new String[] {"", "  "}) {
            assertThatThrownBy(() -> KubernetesLockStore.open(
                            Cluster.config(Cluster.server(), KubeApiServer.ADMIN),
                            "locks",
                            blank,
                            new HandPorts().ports()))
                    .isInstanceOfSatisfying(StoreUnavailable.class, e -> {
                        assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED);
                        assertThat(e).hasMessageContaining("POD_NAME");
                    });
        }
    }

    /** A withdrawal in the background may come after the end; it is told so and does not crash. */
    @Test
    void a_store_that_was_closed_says_so() {
        Pod pod = Pod.in(Cluster.freshNamespace(), "pod-a");
        pod.store().release(pod.take(NAME));
        pod.close();

        assertRefused(pod, Kind.UNREACHABLE, "");
        assertThatThrownBy(() -> pod.store().withdraw(pod.asks(NAME))).isInstanceOf(StoreUnavailable.class);
    }

    @Test
    void a_user_without_rights_is_told_which_role_it_needs() {
        try (Pod pod = Pod.as("nobody", Cluster.freshNamespace(), "pod-a")) {
            assertRefused(pod, Kind.FORBIDDEN, "locks-rbac.yaml");
        }
    }

    @Test
    void a_namespace_that_is_not_there_is_named() {
        try (Pod pod = Pod.in("nowhere", "pod-a")) {
            assertRefused(pod, Kind.MISCONFIGURED, "Namespace 'nowhere' is not there");
        }
    }

    @Test
    void a_namespace_that_is_being_deleted_grants_nothing() {
        String namespace = Cluster.freshNamespace();
        Cluster.admin().namespaces().withName(namespace).delete();

        try (Pod pod = Pod.in(namespace, "pod-a")) {
            assertRefused(pod, Kind.READ_ONLY, "is being deleted");
        }
    }

    /** K1: while the server is away nothing starts; when it is back, what was held is held, and waiters are served. */
    @Test
    void an_api_server_that_was_killed_comes_back_with_every_lock_and_every_waiter() throws Exception {
        try (KubeApiServer own = KubeApiServer.start()) {
            try (KubernetesClient admin = new KubernetesClientBuilder()
                    .withConfig(Cluster.config(own, KubeApiServer.ADMIN))
                    .build()) {
                admin.namespaces()
                        .resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName("locks")
                                .endMetadata()
                                .build())
                        .create();
            }
            Duration hour = Duration.ofHours(1);
            try (Pod pod = Pod.at(own, "locks", "pod-a");
                    Pod other = Pod.at(own, "locks", "pod-b")) {
                Ask ask = pod.asks(NAME, hour);
                Lock lock = Pod.granted(pod.store().acquire(ask));
                Entry.Queued queued = (Entry.Queued) other.store().enter(other.asks(NAME, hour), hour, 10);

                own.crash();
                assertRefused(pod, Kind.UNREACHABLE, "cannot be reached");
                assertThatThrownBy(() -> pod.store().renew(lock)).isInstanceOf(StoreUnavailable.class);
                assertThatThrownBy(() -> pod.store().release(lock)).isInstanceOf(StoreUnavailable.class);
                own.restart();

                assertThat(Pod.granted(pod.store().acquire(ask)).token()).isEqualTo(lock.token());
                assertThat(pod.store().release(lock)).isEqualTo(new Release.Released());
                assertThat(Pod.granted(queued.place().handover().get(60, TimeUnit.SECONDS))
                                .token())
                        .isGreaterThan(lock.token());
            }
        }
    }

    @Test
    void the_longest_name_is_kept_whole() {
        String namespace = Cluster.freshNamespace();
        String longest = "𝔵".repeat(LockName.MAX_LENGTH);
        try (Pod pod = Pod.in(namespace, "pod-a")) {
            pod.take(longest);

            assertThat(pod.store()
                            .find(LockName.of(longest))
                            .orElseThrow()
                            .name()
                            .value())
                    .isEqualTo(longest);
        }
    }

    /**
     * F2: the server's clock jumps an hour ahead under a process that has known it. By that clock the lease is long
     * over; its holder lives and is not robbed. When it has been seen to stand still for a whole lease, it has died.
     */
    @Test
    void a_server_clock_that_jumps_ahead_ends_no_lease_by_itself() {
        String namespace = Cluster.freshNamespace();
        JumpingClock clock = new JumpingClock();
        try (Pod holder = Pod.in(namespace, "pod-a");
                Pod pod = Pod.under(clock, namespace, "pod-b")) {
            clock.follow(pod.time().ports().ticker());
            holder.take(NAME);
            assertThat(pod.store().acquire(pod.asks(NAME))).isInstanceOf(Acquisition.Held.class);

            clock.jump(Duration.ofHours(1));

            assertThat(pod.store().acquire(pod.asks(NAME))).isInstanceOf(Acquisition.Held.class);
            pod.time().skip(Pod.LEASE.plusSeconds(1));
            pod.take(NAME);
        }
    }

    /** Without the guard against jumps the test above would see the lock robbed: this one shows that it could. */
    @Test
    void a_process_that_has_never_known_another_hour_goes_by_the_hour_it_is_told() {
        String namespace = Cluster.freshNamespace();
        JumpingClock clock = new JumpingClock();
        try (Pod holder = Pod.in(namespace, "pod-a");
                Pod pod = Pod.under(clock, namespace, "pod-b")) {
            clock.follow(pod.time().ports().ticker());
            holder.take(NAME);
            clock.jump(Duration.ofHours(1));

            pod.take(NAME);
        }
    }

    /** The server's dates, as if somebody had set its clock. */
    private static final class JumpingClock implements ServerClock {
        private DateClock clock;
        private Duration jumped = Duration.ZERO;

        void follow(Ports.Ticker ticker) {
            clock = new DateClock(ticker);
        }

        void jump(Duration by) {
            jumped = by;
        }

        @Override
        public void heard(Instant date, long sentAt, long heardAt) {
            clock.heard(date.plus(jumped), sentAt, heardAt);
        }

        @Override
        public Reading now() {
            return clock.now();
        }
    }

    /** F3: a clock that was set back would keep a dead holder for an hour; having seen it stand still does not. */
    @Test
    void a_server_clock_that_was_set_back_keeps_no_dead_holder_alive() {
        String namespace = Cluster.freshNamespace();
        HandClock clock = new HandClock();
        try (Pod holder = Pod.under(clock, namespace, "pod-a");
                Pod pod = Pod.under(clock, namespace, "pod-b")) {
            holder.take(NAME);
            clock.move(Duration.ofHours(-1));
            assertThat(pod.store().acquire(pod.asks(NAME))).isInstanceOf(Acquisition.Held.class);

            pod.time().skip(Pod.LEASE.plusSeconds(1));

            pod.take(NAME);
        }
    }
}
