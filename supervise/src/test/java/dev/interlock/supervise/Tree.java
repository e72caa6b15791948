package dev.interlock.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A command with descendants of every kind, each known by a number in its command line. */
final class Tree {
    private static final int SLEEPS = 8;
    private static final long LONG_ENOUGH = Duration.ofSeconds(1).toNanos();

    final String number = Long.toString(ThreadLocalRandom.current().nextLong(100_000_000, 1_000_000_000));

    List<String> command() {
        return List.of("sh", LauncherJvm.resource("tree.sh"), number);
    }

    void awaitGrown() {
        Processes.await(
                "the tree has grown", () -> Processes.sleepsBearing(number).size() == SLEEPS);
    }

    List<Long> living() {
        return Processes.bearing(number);
    }

    /** Looks again and again for a second, since a process between fork and exec bears another name. */
    void assertDead() {
        Processes.await("the tree is dead: " + number, () -> living().isEmpty());
        long end = System.nanoTime() + LONG_ENOUGH;
        while (System.nanoTime() < end) {
            assertThat(living()).isEmpty();
        }
    }

    void assertDeadBy(BootTime end) {
        Processes.await("the tree is dead: " + number, () -> living().isEmpty());
        assertThat(BootTime.now()).isLessThanOrEqualTo(end);
        assertDead();
    }

    void kill() {
        while (!living().isEmpty()) {
            Processes.signal("KILL", living());
        }
    }
}
