package dev.interlock.bench.workload;

import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import dev.interlock.core.Attempt;
import dev.interlock.core.LockStore;
import dev.interlock.core.Locks;
import dev.interlock.core.Options;
import dev.interlock.core.Settings;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.system.ThisProcess;
import dev.interlock.kubernetes.KubernetesLockStore;
import dev.interlock.testing.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.HdrHistogram.ConcurrentHistogram;

/** Acquisitions at a fixed rate on a real API server. */
public record KubernetesRate(Duration warmUp, Duration measured) implements Workload {
    private static final int PER_SECOND = 50;
    private static final int NAMES = 500;
    private static final String NAMESPACE = "locks";
    private static final Pattern REQUESTS =
            Pattern.compile("(?m)^apiserver_request_total\\{[^}]*resource=\"leases\"[^}]*} (\\S+)$");

    private static final Figure P50 = Figure.absolute("p50", Unit.MILLIS);
    private static final Figure P95 = Figure.absolute("p95", Unit.MILLIS);
    private static final Figure P99 = Figure.absolute("p99", Unit.MILLIS);
    private static final Figure SUCCESS = Figure.absolute("success %", Unit.NUMBER);
    private static final Figure CALLS = Figure.absolute("API calls per acquire and release", Unit.NUMBER);

    @Override
    public String id() {
        return "kubernetes";
    }

    @Override
    public String title() {
        return "Acquiring at a fixed rate on Kubernetes";
    }

    @Override
    public String method() {
        return """
                %d acquisitions begin every second, whether or not those before have ended (open loop), each of one of \
                %,d known names, and are released at once. The time is that of the acquisition, counted from when it \
                was due. Before that, one thread has acquired and released all the names in turn for %d s. Calls are those for \
                Leases that the API server itself has counted.""".formatted(PER_SECOND, NAMES, warmUp.toSeconds());
    }

    @Override
    public String situations() {
        return "rate";
    }

    @Override
    public String baseline() {
        return "Interlock on Leases";
    }

    @Override
    public List<Situation> list() {
        return List.of(new Situation(
                PER_SECOND + "/s for " + measured.toSeconds() + " s",
                List.of(new Trial(baseline(), "", this::measure))));
    }

    @Override
    public List<String> notes() {
        return List.of("The API server and its etcd (without fsync) run beside the bench, on the same machine.");
    }

    private Reading measure() throws Exception {
        try (KubeApiServer server = KubeApiServer.start();
                KubernetesClient admin =
                        new KubernetesClientBuilder().withConfig(config(server)).build()) {
            admin.namespaces()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(NAMESPACE)
                            .endMetadata()
                            .build())
                    .create();
            var ports = SystemPorts.create();
            try (LockStore store = KubernetesLockStore.open(config(server), NAMESPACE, "bench", ports);
                    Locks locks = new Locks(store, ThisProcess.identity(), Settings.DEFAULT, ports)) {
                warmUp(locks);
                return measure(locks, admin);
            }
        }
    }

    /** Each name at least once, so that it is known; and long enough for client and server to be at their usual speed. */
    private void warmUp(Locks locks) throws InterruptedException {
        long end = System.nanoTime() + warmUp.toNanos();
        for (int number = 0; number < NAMES || System.nanoTime() < end; number++) {
            locks.acquire("bench/" + number % NAMES, Options.refusing()).close();
        }
    }

    private Reading measure(Locks locks, KubernetesClient admin) throws InterruptedException {
        var nanos = new ConcurrentHistogram(3);
        var granted = new AtomicInteger();
        int total = (int) (PER_SECOND * measured.toSeconds());
        var done = new CountDownLatch(total);
        double before = calls(admin);
        long begin = System.nanoTime();
        for (int number = 0; number < total; number++) {
            long due = begin + number * 1_000_000_000L / PER_SECOND;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            String name = "bench/" + number % NAMES;
            Thread.ofVirtual().start(() -> {
                try {
                    if (locks.tryAcquire(name, Options.refusing()) instanceof Attempt.Acquired(var lock)) {
                        nanos.recordValue(System.nanoTime() - due);
                        granted.incrementAndGet();
                        lock.close();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        double calls = calls(admin) - before;
        return new Reading(
                List.of(
                        P50.is(Millis.at(nanos, 50)),
                        P95.is(Millis.at(nanos, 95)),
                        P99.is(Millis.at(nanos, 99)),
                        SUCCESS.is(100.0 * granted.get() / total),
                        CALLS.is(calls / total)),
                Map.of("acquire", nanos));
    }

    private static double calls(KubernetesClient admin) {
        return REQUESTS.matcher(admin.raw("/metrics"))
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }

    private static Config config(KubeApiServer server) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(server.url())
                .withOauthToken(server.token(KubeApiServer.ADMIN))
                .withCaCertFile(server.certificate().toString())
                .build();
    }
}
