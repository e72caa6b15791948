package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.StoreUnavailable;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A record that somebody has edited so that it cannot be read: nothing is granted on it, and it hides nothing else. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DamageTest {
    private static final String NAME = "prod/db";
    private static final String OBJECT = ObjectNames.hashed(LockName.of(NAME));

    private final String namespace = Cluster.freshNamespace();
    private final Pod pod = Pod.in(namespace, "pod-a");

    @AfterEach
    void close() {
        pod.close();
    }

    enum Damage {
        CUT_OFF,
        EMPTY,
        NOTHING,
        NO_FIELDS,
        NO_HOLDER,
        NO_TERMS,
        NO_QUEUE,
        NO_FORMAT,
        AN_INSTANT_THAT_IS_NONE,
        AN_EVENT_THAT_IS_NONE,
        A_NEWER_FORMAT;

        String to(String json) {
            return switch (this) {
                case CUT_OFF -> json.substring(0, json.length() / 2);
                case EMPTY -> "";
                case NOTHING -> "null";
                case NO_FIELDS -> "{}";
                case NO_HOLDER -> json.replace("\"holder\"", "\"older\"");
                case NO_TERMS -> json.replace("\"terms\"", "\"term\"");
                case NO_QUEUE -> json.replace("\"queue\"", "\"line\"");
                case NO_FORMAT -> json.replace("\"format\"", "\"form\"");
                case AN_INSTANT_THAT_IS_NONE -> json.replaceFirst("\"lastUsed\":\"[^\"]*\"", "\"lastUsed\":\"noon\"");
                case AN_EVENT_THAT_IS_NONE -> json.replace("\"RELEASED\"", "\"EVAPORATED\"");
                case A_NEWER_FORMAT -> json.replace("\"format\":1", "\"format\":2");
            };
        }
    }

    private void edit(Consumer<Map<String, String>> annotations) {
        Cluster.admin().leases().inNamespace(namespace).withName(OBJECT).edit(found -> {
            annotations.accept(found.getMetadata().getAnnotations());
            return found;
        });
    }

    private Page<Lock> listed(LockFilter filter, Page.Request page) {
        return pod.store().list(filter, page);
    }

    private static List<String> names(Page<Lock> page) {
        return page.items().stream().map(lock -> lock.name().value()).toList();
    }

    private static void assertNamesTheLease(Page<Lock> page) {
        assertThat(page.faults())
                .singleElement()
                .asString()
                .contains("Lease " + OBJECT)
                .doesNotContain("Exception", "\n");
    }

    @ParameterizedTest
    @EnumSource
    void a_damaged_record_is_told_of_hides_none_of_the_others_and_grants_nothing(Damage damage) {
        pod.store().release(pod.take(NAME));
        pod.take("prod/a");
        pod.take("prod/z");
        edit(annotations -> annotations.computeIfPresent(LeaseObject.RECORD, (key, json) -> damage.to(json)));

        Page<Lock> page = listed(LockFilter.ALL, Page.Request.FIRST);

        assertThat(names(page)).containsExactly("prod/a", "prod/z");
        assertNamesTheLease(page);
        assertThatThrownBy(() -> pod.store().acquire(pod.asks(NAME)))
                .isInstanceOfSatisfying(
                        StoreUnavailable.class,
                        e -> assertThat(e.getMessage()).isEqualTo(page.faults().getFirst()));
        assertThat(pod.store().prune(Duration.ZERO)).isZero();
        assertThat(Cluster.admin()
                        .leases()
                        .inNamespace(namespace)
                        .withName(OBJECT)
                        .get())
                .isNotNull();
    }

    /** The canary: what is only written differently is no damage. */
    @Test
    void a_record_in_another_order_and_with_more_in_it_is_none() {
        pod.store().release(pod.take(NAME));
        edit(annotations -> annotations.computeIfPresent(
                LeaseObject.RECORD, (key, json) -> json.replaceFirst("\\{", "{ \"later\":[1,{}], ")));

        Page<Lock> page = listed(LockFilter.ALL, Page.Request.FIRST);

        assertThat(page.faults()).isEmpty();
        assertThat(names(page)).containsExactly(NAME);
        pod.take(NAME);
    }

    @Test
    void it_is_told_of_with_the_first_page_and_only_to_those_who_ask_for_such_names() {
        List.of(NAME, "prod/a", "prod/z").forEach(pod::take);
        edit(annotations -> annotations.put(LeaseObject.RECORD, "?"));

        Page<Lock> first = listed(LockFilter.ALL, new Page.Request(null, 1));
        assertThat(names(first)).containsExactly("prod/a");
        assertNamesTheLease(first);
        Page<Lock> second = listed(LockFilter.ALL, new Page.Request(first.next(), 1));
        assertThat(names(second)).containsExactly("prod/z");
        assertThat(second.faults()).isEmpty();

        Set<Lock.Status> any = Set.of(Lock.Status.values());
        assertThat(listed(new LockFilter(any, "test/", null, null, null), Page.Request.FIRST)
                        .faults())
                .isEmpty();
        assertNamesTheLease(listed(new LockFilter(any, "prod/", null, null, null), Page.Request.FIRST));
    }

    @Test
    void a_lease_that_does_not_say_its_name_or_one_that_no_lock_has_is_told_of() {
        pod.take(NAME);
        edit(annotations -> annotations.remove(LeaseObject.NAME));
        assertNamesTheLease(listed(LockFilter.ALL, Page.Request.FIRST));

        edit(annotations -> annotations.put(LeaseObject.NAME, " \n"));
        assertNamesTheLease(listed(LockFilter.ALL, Page.Request.FIRST));
    }

    @Test
    void a_copy_of_a_lease_under_another_name_is_told_of_and_is_no_second_lock() {
        pod.take(NAME);
        var leases = Cluster.admin().leases().inNamespace(namespace);
        Lease copy = new LeaseBuilder(leases.withName(OBJECT).get())
                .editMetadata()
                .withName("copy")
                .withResourceVersion(null)
                .withUid(null)
                .endMetadata()
                .build();
        leases.resource(copy).create();

        Page<Lock> page = listed(LockFilter.ALL, Page.Request.FIRST);

        assertThat(names(page)).containsExactly(NAME);
        assertThat(page.faults()).singleElement().asString().contains("Lease copy");
    }

    /** Others use Leases too, and may call themselves managed by us. */
    @Test
    void a_lease_that_is_no_lock_of_ours_is_passed_over() {
        Cluster.admin()
                .leases()
                .inNamespace(namespace)
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName("elector")
                        .addToLabels(LeaseObject.MANAGED_BY, LeaseObject.INTERLOCK)
                        .endMetadata()
                        .build())
                .create();

        assertThat(listed(LockFilter.ALL, Page.Request.FIRST)).isEqualTo(new Page<>(List.of(), null));
    }
}
