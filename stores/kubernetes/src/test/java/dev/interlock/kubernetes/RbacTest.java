package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.StoreUnavailable;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The role that we publish is enough for every verb, and none of its rights is too much. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RbacTest {
    private static final Path MANIFEST = Path.of("..", "..", "deploy", "kubernetes", "locks-rbac.yaml");
    private static final String USER = "locks";

    private final String namespace = Cluster.freshNamespace();
    private final HandClock clock = new HandClock();

    /** Exactly what the file says, for a user of this server instead of a service account. */
    private void grant(String... without) throws IOException {
        List<HasMetadata> published;
        try (var in = Files.newInputStream(MANIFEST)) {
            published = Cluster.admin().load(in).items();
        }
        assertThat(published).hasSize(2);
        for (HasMetadata one : published) {
            switch (one) {
                case Role role ->
                    role.getRules().forEach(rule -> {
                        List<String> verbs = new ArrayList<>(rule.getVerbs());
                        verbs.removeAll(List.of(without));
                        rule.setVerbs(verbs);
                    });
                case RoleBinding binding ->
                    binding.setSubjects(List.of(new SubjectBuilder()
                            .withApiGroup("rbac.authorization.k8s.io")
                            .withKind("User")
                            .withName(USER)
                            .build()));
                default -> throw new AssertionError("the manifest holds more than a role and its binding");
            }
            Cluster.admin().resource(one).inNamespace(namespace).create();
        }
    }

    /** Every verb of the store, waiting, takeover and pruning included. */
    private void everything(Pod pod) throws Exception {
        Ask ask = pod.asks("prod/db");
        Lock lock = Pod.granted(pod.store().acquire(ask));
        pod.store().renew(List.of(ask.lease()));
        Ask waiting = pod.asks("prod/db", Duration.ofHours(1));
        Entry.Queued queued = (Entry.Queued) pod.store().enter(waiting, Duration.ofHours(1), 10);
        while (pod.sent() < 7) {
            Thread.onSpinWait(); // The watch is opened beside us.
        }
        pod.store().waiters(LockName.of("prod/db"));
        pod.store().release(lock);
        Lock second = Pod.granted(queued.place().handover().get());
        pod.store().force(new Force(second.name(), second.token(), "ann", "a test", true));
        pod.store().find(second.name());
        pod.store().history(second.name(), Page.Request.FIRST);
        pod.store().list(LockFilter.ALL, Page.Request.FIRST);
        pod.store().end(waiting.lease());
        clock.move(Duration.ofDays(1));
        assertThat(pod.store().prune(Duration.ofHours(1))).isEqualTo(1);
    }

    @Test
    void every_verb_works_under_the_published_role_and_touches_nothing_but_its_leases() throws Exception {
        grant();
        try (Pod pod = Pod.as(USER, clock, namespace, "pod-a")) {
            everything(pod);

            assertThat(pod.requests())
                    .allSatisfy(request -> assertThat(request)
                            .contains(" /apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases"));
        }
    }

    @Test
    void the_role_opens_no_other_namespace() throws Exception {
        grant();
        try (Pod elsewhere = Pod.as(USER, Cluster.freshNamespace(), "pod-a")) {
            assertThatThrownBy(() -> elsewhere.take("prod/db"))
                    .isInstanceOfSatisfying(
                            StoreUnavailable.class,
                            e -> assertThat(e.kind()).isEqualTo(StoreUnavailable.Kind.FORBIDDEN));
        }
    }

    /** Without any one of its rights something does not work, so the role holds nothing that is not needed. */
    @ParameterizedTest
    @ValueSource(strings = {"get", "list", "create", "update", "delete"})
    void every_right_of_the_role_is_needed(String right) throws Exception {
        grant(right);
        try (Pod pod = Pod.as(USER, clock, namespace, "pod-a")) {
            assertThatThrownBy(() -> everything(pod)).isInstanceOfSatisfying(StoreUnavailable.class, e -> {
                assertThat(e.kind()).isEqualTo(StoreUnavailable.Kind.FORBIDDEN);
                assertThat(e).hasMessageContaining("cannot " + right + " resource \"leases\"");
            });
        }
    }

    /** Without the right to watch, waiters find out by looking: slower, and that is all. */
    @Test
    void waiting_works_without_the_right_to_watch() throws Exception {
        grant("watch");
        try (Pod pod = Pod.as(USER, clock, namespace, "pod-a")) {
            everything(pod);
        }
    }
}
