package dev.interlock.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one process. Calls go by HTTP/1.1: the client's HTTP/2 hands each of them from thread to thread more
 * often, which shows where processors are few. Watches go by HTTP/2 and share one connection, however many locks are
 * waited for; it is opened with the first of them.
 */
final class Wires implements AutoCloseable {
    private final Function<Config, KubernetesClient> opening;
    private final Config config;
    private final KubernetesClient calls;
    private @Nullable KubernetesClient watches;
    private boolean closed;

    Wires(Config config, Function<Config, KubernetesClient> opening) {
        // A request that failed is asked again as a whole, by whoever knows how long there is time for it.
        this.config = new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build();
        this.opening = opening;
        this.calls = opening.apply(
                new ConfigBuilder(this.config).withHttp2Disable(true).build());
    }

    static Wires to(Config config) {
        return new Wires(
                config, own -> new KubernetesClientBuilder().withConfig(own).build());
    }

    KubernetesClient calls() {
        return calls;
    }

    synchronized KubernetesClient watches() {
        if (closed) {
            throw new IllegalStateException("the connections have been closed");
        }
        if (watches == null) {
            watches = opening.apply(config);
        }
        return watches;
    }

    @Override
    public synchronized void close() {
        closed = true;
        calls.close();
        if (watches != null) {
            watches.close();
        }
    }
}
