package dev.interlock.core;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Asks a store again after a transient failure: exponential backoff with full jitter. Every verb of a store may be
 * repeated, so an answer that was lost on the way is resolved by asking the same again, never by guessing.
 */
final class Retrying {
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);

    private final int tries;
    private final Ports ports;

    Retrying(int tries, Ports ports) {
        this.tries = tries;
        this.ports = ports;
    }

    <T> T ask(Supplier<T> request) throws InterruptedException {
        Duration delay = FIRST_DELAY;
        for (int attempt = 1; ; attempt++) {
            try {
                return request.get();
            } catch (StoreUnavailable e) {
                if (!e.isTransient() || attempt >= tries) {
                    throw e;
                }
            }
            ports.pause(ports.jittered(delay));
            delay = delay.multipliedBy(2);
        }
    }
}
