package dev.interlock.kubernetes;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.testing.kube.KubeApiServer;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** One process at the API server: its store, its time, what it sends, and a hand in what happens just before. */
final class Pod implements AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(30);

    private final HandPorts time = new HandPorts();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicReference<Consumer<String>> beforeNext = new AtomicReference<>(method -> {});
    private final String name;
    private final KubernetesLockStore store;

    private Pod(
            KubeApiServer server, String user, String namespace, String name, ServerClock clock, ObjectNames names) {
        this.name = name;
        Wires wires = new Wires(
                Cluster.config(server, user),
                config -> new KubernetesClientBuilder()
                        .withConfig(config)
                        .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("recorder", new Recorder()))
                        .build());
        ServerClock own = clock == null ? new DateClock(time.ports().ticker()) : clock;
        this.store = new KubernetesLockStore(wires, namespace, name, time.ports(), own, names);
    }

    /** As in production: judged by the dates of the server and by observation. */
    static Pod in(String namespace, String name) {
        return new Pod(Cluster.server(), KubeApiServer.ADMIN, namespace, name, null, ObjectNames::hashed);
    }

    static Pod at(KubeApiServer server, String namespace, String name) {
        return new Pod(server, KubeApiServer.ADMIN, namespace, name, null, ObjectNames::hashed);
    }

    static Pod as(String user, String namespace, String name) {
        return new Pod(Cluster.server(), user, namespace, name, null, ObjectNames::hashed);
    }

    static Pod as(String user, ServerClock clock, String namespace, String name) {
        return new Pod(Cluster.server(), user, namespace, name, clock, ObjectNames::hashed);
    }

    static Pod naming(ObjectNames names, String namespace, String name) {
        return new Pod(Cluster.server(), KubeApiServer.ADMIN, namespace, name, null, names);
    }

    static Pod under(ServerClock clock, String namespace, String name) {
        return new Pod(Cluster.server(), KubeApiServer.ADMIN, namespace, name, clock, ObjectNames::hashed);
    }

    private final class Recorder implements Interceptor {
        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            requests.add(request.method() + " " + request.uri().getPath());
            beforeNext.get().accept(request.method());
        }
    }

    KubernetesLockStore store() {
        return store;
    }

    HandPorts time() {
        return time;
    }

    /** What was sent since the last time, as method and path. */
    List<String> requests() {
        List<String> sent = List.copyOf(requests);
        requests.clear();
        return sent;
    }

    int sent() {
        return requests.size();
    }

    List<String> methods() {
        return requests().stream()
                .map(request -> request.substring(0, request.indexOf(' ')))
                .toList();
    }

    /** Lets something happen just before this process next sends a request of this kind, and not again. */
    void beforeNext(String method, Runnable event) {
        beforeNext.set(sent -> {
            if (sent.equals(method)) {
                beforeNext.set(other -> {});
                event.run();
            }
        });
    }

    void beforeEvery(String method, Runnable event) {
        beforeNext.set(sent -> {
            if (sent.equals(method)) {
                event.run();
            }
        });
    }

    Ask asks(String lock) {
        return asks(lock, LEASE);
    }

    Ask asks(String lock, Duration duration) {
        String owner = name + ":1:" + UUID.randomUUID();
        return new Ask(
                LockName.of(lock),
                new Holder("exec-" + name, 1, owner, "ann"),
                new Lease(UUID.randomUUID(), owner, "ann", duration));
    }

    Lock take(String lock) {
        return granted(store.acquire(asks(lock)));
    }

    static Lock granted(Object answer) {
        return ((Acquisition.Granted) answer).lock();
    }

    static Lock held(Object answer) {
        return ((Acquisition.Held) answer).current();
    }

    @Override
    public void close() {
        store.close();
    }
}
