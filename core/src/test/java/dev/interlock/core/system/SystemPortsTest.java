package dev.interlock.core.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Ports;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SystemPortsTest {
    private static final int FAR_MORE_THAN_THREADS = 100;

    private final Ports.Tasks tasks = SystemPorts.create().tasks();

    @Test
    void whoever_asks_is_at_it_at_once_however_many_do() throws Exception {
        Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(FAR_MORE_THAN_THREADS);
        Phaser answer = new Phaser(1);
        for (int i = 0; i < FAR_MORE_THAN_THREADS; i++) {
            tasks.ask("test", () -> {
                virtual.add(Thread.currentThread().isVirtual());
                all.countDown();
                answer.awaitAdvance(0);
            });
        }

        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
        answer.arrive();
        assertThat(virtual).containsExactlyInAnyOrder(true, false);
    }
}
