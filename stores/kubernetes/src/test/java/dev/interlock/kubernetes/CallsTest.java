package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What each verb costs the API server. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CallsTest {
    private final String namespace = Cluster.freshNamespace();
    private final Pod pod = Pod.in(namespace, "pod-a");

    @AfterEach
    void close() {
        pod.close();
    }

    @Test
    void a_lock_that_nobody_wants_costs_two_calls_to_take_one_to_renew_and_one_to_release() {
        pod.store().release(pod.take("prod/db"));
        pod.requests();

        Ask ask = pod.asks("prod/db");
        Lock lock = Pod.granted(pod.store().acquire(ask));
        assertThat(pod.methods()).containsExactly("GET", "PUT");

        pod.store().renew(List.of(ask.lease()));
        assertThat(pod.methods()).containsExactly("PUT");

        pod.store().renew(lock);
        assertThat(pod.methods()).containsExactly("PUT");

        pod.store().release(lock);
        assertThat(pod.methods()).containsExactly("PUT");
    }

    @Test
    void the_first_grant_of_a_name_costs_one_call_more() {
        pod.take("prod/db");

        assertThat(pod.methods()).containsExactly("GET", "POST", "PUT");
    }

    @Test
    void a_lock_that_another_pod_has_used_meanwhile_costs_no_more() {
        try (Pod other = Pod.in(namespace, "pod-b")) {
            pod.store().release(pod.take("prod/db"));
            other.store().release(other.take("prod/db"));
            pod.requests();

            pod.take("prod/db");

            assertThat(pod.methods()).containsExactly("GET", "PUT");
        }
    }

    @Test
    void a_set_costs_two_calls_for_each_known_member() {
        List<LockName> names = IntStream.range(0, 5)
                .mapToObj(number -> LockName.of("set/" + number))
                .toList();
        names.forEach(name -> pod.store().release(pod.take(name.value())));
        pod.requests();
        Ask first = pod.asks("set/0");

        pod.store()
                .acquireAll(names.stream()
                        .map(name -> new Ask(name, first.holder(), first.lease()))
                        .toList());

        assertThat(pod.methods()).containsOnly("GET", "PUT").hasSize(10);
    }

    /** The release hands the lock on in its own write, and the watch tells the waiter: nobody asks for anything. */
    @Test
    void a_waiter_in_another_pod_is_handed_the_lock_without_a_request_of_its_own() throws Exception {
        try (Pod waiter = Pod.in(namespace, "pod-b")) {
            Lock lock = pod.take("prod/db");
            Entry.Queued queued =
                    (Entry.Queued) waiter.store().enter(waiter.asks("prod/db"), Duration.ofMinutes(5), 10);
            // GET and PUT for the place, GET to look and to learn where the watch begins, GET for the watch itself.
            while (waiter.sent() < 4) {
                Thread.onSpinWait();
            }
            waiter.requests();

            pod.store().release(lock);
            Lock next = Pod.granted(queued.place().handover().get(30, TimeUnit.SECONDS));

            assertThat(next.token()).isGreaterThan(lock.token());
            assertThat(waiter.requests()).isEmpty();
        }
    }
}
