package dev.interlock.dynamodb;

import static dev.interlock.dynamodb.Scene.NAME;
import static dev.interlock.dynamodb.Scene.ask;
import static dev.interlock.dynamodb.Scene.granted;
import static dev.interlock.dynamodb.Scene.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Entry;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What each verb costs, counted on its way to the server. */
class RequestsPerVerbTest {
    private final Scene scene = new Scene();
    private final Lease lease = lease("here:1:a");

    /** The lease of this process is in use; the very first request on it looks whether somebody has ended it. */
    private void warmUp() {
        granted(scene.here.acquire(ask(LockName.of("warm"), lease, "e0")));
        assertThat(scene.traffic.drain()).containsExactly("GetItem", "UpdateItem");
    }

    @Test
    void acquiring_renewing_and_giving_back_are_one_request_each() {
        warmUp();

        Lock lock = granted(scene.here.acquire(ask(NAME, lease, "e1")));
        assertThat(scene.traffic.drain()).containsExactly("UpdateItem");
        assertThat(scene.here.renew(List.of(lease))).first().isInstanceOf(LeaseRenewal.Renewed.class);
        assertThat(scene.traffic.drain()).containsExactly("UpdateItem");
        scene.here.release(lock);
        assertThat(scene.traffic.drain()).containsExactly("TransactWriteItems");
        granted(scene.here.acquire(ask(NAME, lease, "e2")));
        assertThat(scene.traffic.drain()).containsExactly("UpdateItem");
    }

    @Test
    void a_thousand_locks_are_kept_by_one_request() {
        for (int number = 0; number < 1000; number++) {
            granted(scene.here.acquire(ask(LockName.of("host/" + number), lease, "e")));
        }
        scene.traffic.drain();

        scene.here.renew(List.of(lease));

        assertThat(scene.traffic.drain()).containsExactly("UpdateItem");
    }

    /** The second write is the refusal's line in the history. */
    @Test
    void a_conflict_names_its_holder_without_a_read() {
        warmUp();
        Lease other = lease("there:1:b");
        granted(scene.there.acquire(ask(NAME, other, "e1")));

        Acquisition answer = scene.here.acquire(ask(NAME, lease, "e2"));

        assertThat(((Acquisition.Held) answer).current().holder().owner()).isEqualTo("there:1:b");
        assertThat(scene.traffic.drain()).containsExactly("UpdateItem", "PutItem");
    }

    @Test
    void a_neighbour_gets_the_lock_with_the_request_that_gives_it_back() {
        warmUp();
        Lock first = granted(scene.here.acquire(ask(NAME, lease, "e1")));
        Entry.Queued queued = (Entry.Queued) scene.here.enter(ask(NAME, lease, "e2"), Duration.ofHours(1), 10);
        scene.traffic.drain();

        scene.here.release(first);

        Lock second = granted(queued.place().handover().getNow(null));
        assertThat(second.token()).isEqualTo(first.token() + 1);
        assertThat(scene.traffic.drain()).containsExactly("TransactWriteItems");
    }

    /** 32 threads, each of them takes its turn ten times. */
    @Test
    void with_32_waiters_in_one_process_a_turn_costs_little_more_than_one_request() {
        warmUp();
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int worker = 0; worker < 32; worker++) {
            int number = worker;
            all.add(CompletableFuture.runAsync(
                    () -> {
                        for (int round = 0; round < 10; round++) {
                            Entry entry = scene.here.enter(
                                    ask(NAME, lease, "w" + number + "-" + round), Duration.ofHours(1), 1000);
                            Lock lock = granted(
                                    entry instanceof Entry.Queued queued
                                            ? queued.place().handover().join()
                                            : entry);
                            assertThat(inside.incrementAndGet()).isEqualTo(1);
                            inside.decrementAndGet();
                            scene.here.release(lock);
                        }
                    },
                    task -> Thread.ofVirtual().start(task)));
        }
        all.forEach(CompletableFuture::join);

        List<String> requests = scene.traffic.drain();
        assertThat(requests.size() / 320.0).as("%s", requests).isLessThanOrEqualTo(1.5);
    }
}
