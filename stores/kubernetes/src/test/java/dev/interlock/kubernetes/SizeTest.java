package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Maintenance;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Release;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Terms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The annotations of one object have 256 KiB. Whatever does not fit is refused before it is written, and what was let in
 * can always be carried on, taken away and given back.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SizeTest {
    private static final String NAME = "prod/db";
    private static final Duration WAIT = Duration.ofMinutes(5);

    /** Each character of it takes six bytes in JSON. */
    private static final String LONGEST_REASON = "\u0001".repeat(1000);

    private final String namespace = Cluster.freshNamespace();
    private final Pod pod = Pod.in(namespace, "pod-a");

    @AfterEach
    void close() {
        pod.close();
    }

    /** Everybody with the longest names and reasons that there can be, four bytes to the character. */
    private static Ask longest(int number) {
        String padded = "%03d".formatted(number) + "\uD83D\uDD12".repeat(120);
        String owner = padded + ":1:x";
        return new Ask(
                LockName.of(NAME),
                new Holder(padded, 1, owner, padded),
                new Lease(UUID.randomUUID(), owner, padded, Pod.LEASE),
                new Terms(Duration.ZERO, Duration.ZERO, null, new Maintenance(LONGEST_REASON, padded)));
    }

    private int enterUntilFull() {
        for (int number = 1; number < 2000; number++) {
            if (pod.store().enter(longest(number), WAIT, Integer.MAX_VALUE)
                    instanceof Entry.QueueFull(Lock held, int limit)) {
                assertThat(held.name()).isEqualTo(LockName.of(NAME));
                assertThat(limit).isEqualTo(number - 1);
                return limit;
            }
        }
        throw new AssertionError("the queue is never full");
    }

    private int annotations() {
        return Cluster.admin()
                .leases()
                .inNamespace(namespace)
                .withName(ObjectNames.hashed(LockName.of(NAME)))
                .get()
                .getMetadata()
                .getAnnotations()
                .entrySet()
                .stream()
                .mapToInt(each -> (each.getKey() + each.getValue()).getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    @Test
    void a_queue_that_is_as_long_as_it_gets_is_renewed_forced_and_handed_on_to_its_end() {
        Lock lock = Pod.granted(pod.store().acquire(longest(0)));
        int waiting = enterUntilFull();
        assertThat(waiting).isGreaterThan(10);
        assertThat(annotations()).isLessThan(256 * 1024);

        for (int turn = 0; turn <= waiting; turn++) {
            Lock held = pod.store().find(LockName.of(NAME)).orElseThrow();
            assertThat(held.waiting()).isEqualTo(waiting - turn);
            assertThat(held.token()).isGreaterThanOrEqualTo(lock.token());
            Force order = new Force(held.name(), held.token(), "\uD83D\uDD12".repeat(256), LONGEST_REASON, false);
            assertThat(pod.store().force(order)).isInstanceOf(Forcing.Releasing.class);
            assertThat(pod.store().release(held)).isEqualTo(new Release.Released());
            // A repeated release is recognised however long the record was.
            assertThat(pod.store().release(held)).isEqualTo(new Release.Released());
        }
        assertThat(pod.store().find(LockName.of(NAME)).orElseThrow().isHeld()).isFalse();
    }

    /** What happened is forgotten before anybody who waits is refused, the newest last. */
    @Test
    void a_long_history_of_long_reasons_fits_too() {
        for (int round = 0; round < 40; round++) {
            Lock lock = pod.take(NAME);
            Force order = new Force(lock.name(), lock.token(), "ann", LONGEST_REASON, true);
            assertThat(pod.store().force(order)).isInstanceOf(Forcing.Released.class);
        }
        assertThat(annotations()).isLessThan(256 * 1024);
        assertThat(pod.store().history(LockName.of(NAME), Page.Request.FIRST).items())
                .hasSizeGreaterThan(10)
                .first()
                .extracting(Past::event)
                .isEqualTo(Past.Event.FORCED);
    }

    @Test
    void whoever_does_not_wait_long_fits_in_by_the_hundred() {
        pod.take(NAME);
        for (int number = 0; number < 200; number++) {
            assertThat(pod.store().enter(pod.asks(NAME), WAIT, Integer.MAX_VALUE))
                    .isInstanceOf(Entry.Queued.class);
        }
        assertThat(annotations()).isLessThan(256 * 1024);
    }

    private void fill(int bytes) {
        Cluster.admin()
                .leases()
                .inNamespace(namespace)
                .withName(ObjectNames.hashed(LockName.of(NAME)))
                .edit(found -> {
                    found.getMetadata().getAnnotations().put("example.com/novel", "x".repeat(bytes));
                    return found;
                });
    }

    @Test
    void a_lease_that_others_use_too_has_a_shorter_queue() {
        pod.take(NAME);
        fill(150 * 1024);

        assertThat(enterUntilFull()).isBetween(1, 10);
        assertThat(annotations()).isLessThan(256 * 1024);
    }

    @Test
    void a_lease_that_others_have_filled_says_whose_annotations_are_in_the_way_and_stays_readable() {
        Lock lock = pod.take(NAME);
        fill(254 * 1024);

        assertThatThrownBy(() -> pod.store().release(lock))
                .isInstanceOfSatisfying(
                        StoreUnavailable.class,
                        e -> assertThat(e)
                                .hasMessageContaining("has no room for this")
                                .hasMessageContaining("Remove what is not Interlock's"));
        assertThat(pod.store().list(LockFilter.ALL, Page.Request.FIRST).items()).hasSize(1);
    }
}
