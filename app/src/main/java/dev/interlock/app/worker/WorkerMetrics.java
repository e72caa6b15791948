package dev.interlock.app.worker;

import dev.interlock.core.Ports;
import dev.interlock.core.work.Gauges;
import dev.interlock.core.work.WorkObserver;
import dev.interlock.metrics.WorkGauges;
import dev.interlock.metrics.WorkMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;

/** Everything that a worker or a janitor counts about itself and its store, in one registry. */
public final class WorkerMetrics implements AutoCloseable {
    private static final String SERVICE = "interlock";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final WorkMetrics work = new WorkMetrics(registry, SERVICE);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final WorkGauges gauges;

    /**
     * Begins to watch the store.
     *
     * @param clock of this machine, to be compared with the store's
     */
    public WorkerMetrics(Gauges store, Ports ports, InstantSource clock) {
        collections.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        this.gauges = WorkGauges.watch(store, registry, SERVICE, ports, clock);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    /** For the worker, the janitor, and whoever submits in this process. */
    public WorkObserver observer() {
        return work;
    }

    @Override
    public void close() {
        gauges.close();
        collections.close();
        registry.close();
    }
}
