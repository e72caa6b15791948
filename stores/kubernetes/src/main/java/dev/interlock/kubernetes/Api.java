package dev.interlock.kubernetes;

import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Leases of one namespace over HTTP. Every read is a consistent one, never from the server's cache; every write
 * names the version that it replaces. Nothing is sent twice: a verb of the store that got no answer is asked again as a
 * whole.
 */
final class Api {
    /** Somebody else was quicker: the version to be replaced is not the latest, or the object has come or gone. */
    static final class Conflict extends Exception {}

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String JSON = "application/json";
    private static final int PAGE = 500;

    private final Wires wires;
    private final KubernetesClient client;
    private final KubernetesSerialization serialization;
    private final String namespace;
    private final String leases;
    private final ServerClock clock;
    private final Ports.Ticker ticker;

    Api(Wires wires, String namespace, ServerClock clock, Ports.Ticker ticker) {
        this.wires = wires;
        this.client = wires.calls();
        this.serialization = client.getKubernetesSerialization();
        this.namespace = namespace;
        String master = client.getMasterUrl().toString();
        this.leases = (master.endsWith("/") ? master : master + "/") + "apis/coordination.k8s.io/v1/namespaces/"
                + encoded(namespace) + "/leases";
        this.clock = clock;
        this.ticker = ticker;
    }

    String namespace() {
        return namespace;
    }

    /** @param sentAt the ticker when it was asked for */
    record Seen(@Nullable Lease lease, long sentAt) {}

    private record Answer(int code, String text, long sentAt) {}

    Seen get(String object) {
        Answer answer = send(request("GET", leases + "/" + object, null));
        return switch (answer.code()) {
            case 200 -> new Seen(lease(answer), answer.sentAt());
            case 404 -> new Seen(null, answer.sentAt());
            default -> throw refused(answer);
        };
    }

    Lease create(Lease lease) throws Conflict {
        Answer answer = send(request("POST", leases, serialization.asJson(lease)));
        return switch (answer.code()) {
            case 201 -> lease(answer);
            case 409 -> throw new Conflict();
            default -> throw refused(answer);
        };
    }

    /** Replaces exactly the version that the Lease carries. */
    Lease replace(Lease lease) throws Conflict {
        String object = lease.getMetadata().getName();
        Answer answer = send(request("PUT", leases + "/" + object, serialization.asJson(lease)));
        return switch (answer.code()) {
            case 200 -> lease(answer);
            // 404 when it was deleted meanwhile and could not be taken for a new one.
            case 404, 409 -> throw new Conflict();
            default -> throw refused(answer);
        };
    }

    /** Deletes exactly this version of exactly this object; false when it is not there as such any more. */
    boolean delete(Lease lease) {
        String options = "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\""
                + lease.getMetadata().getUid() + "\",\"resourceVersion\":\""
                + lease.getMetadata().getResourceVersion() + "\"}}";
        Answer answer =
                send(request("DELETE", leases + "/" + lease.getMetadata().getName(), options));
        return switch (answer.code()) {
            case 200, 202 -> true;
            case 404, 409 -> false;
            default -> throw refused(answer);
        };
    }

    /** All Leases with this label, in chunks of one consistent list. */
    List<Lease> list(String selector) {
        List<Lease> all = new ArrayList<>();
        String next = "";
        do {
            String query = "?labelSelector=" + encoded(selector) + "&limit=" + PAGE
                    + (next.isEmpty() ? "" : "&continue=" + encoded(next));
            Answer answer = send(request("GET", leases + query, null));
            if (answer.code() == 410) {
                return list(selector); // The list was so slow that its version is gone.
            }
            if (answer.code() != 200) {
                throw refused(answer);
            }
            LeaseList page = serialization.unmarshal(answer.text(), LeaseList.class);
            all.addAll(page.getItems());
            String token = page.getMetadata().getContinue();
            next = token == null ? "" : token;
        } while (!next.isEmpty());
        return all;
    }

    /** Something that goes on until it is stopped. */
    interface Watch {
        void stop();
    }

    /**
     * Tells of every change of one Lease after this version: null when it was deleted.
     *
     * @param ended called once, when nothing more will be told
     */
    Watch watch(String object, long afterVersion, Consumer<@Nullable Lease> changes, Runnable ended) {
        String query =
                "?watch=1&fieldSelector=" + encoded("metadata.name=" + object) + "&resourceVersion=" + afterVersion;
        Lines lines = new Lines(line -> changed(line, changes));
        CompletableFuture<HttpResponse<AsyncBody>> answer;
        try {
            HttpClient http = wires.watches().getHttpClient();
            HttpRequest request = http.newHttpRequestBuilder()
                    .uri(leases + query)
                    .forStreaming()
                    .build();
            answer = http.consumeBytes(request, (bytes, body) -> {
                bytes.forEach(lines::take);
                body.consume();
            });
        } catch (RejectedExecutionException | IllegalStateException closed) {
            return () -> {};
        }
        var done = answer.thenCompose(response -> {
                    response.body().consume();
                    return response.body().done();
                })
                .whenComplete((nothing, failure) -> ended.run());
        return () -> {
            done.cancel(false);
            answer.thenAccept(response -> response.body().cancel()).isDone();
        };
    }

    /** Anything but a change of the Lease, such as a version that is too old, ends the watch without our doing. */
    private void changed(String line, Consumer<@Nullable Lease> changes) {
        WatchEvent event = serialization.unmarshal(line, WatchEvent.class);
        if (event.getObject() instanceof Lease lease) {
            changes.accept("DELETED".equals(event.getType()) ? null : lease);
        }
    }

    /** Cuts what arrives into lines. */
    private static final class Lines {
        private final Consumer<String> lines;
        private byte[] rest = new byte[0];

        Lines(Consumer<String> lines) {
            this.lines = lines;
        }

        synchronized void take(ByteBuffer arrived) {
            byte[] all = new byte[rest.length + arrived.remaining()];
            System.arraycopy(rest, 0, all, 0, rest.length);
            arrived.get(all, rest.length, all.length - rest.length);
            int from = 0;
            for (int at = rest.length; at < all.length; at++) {
                if (all[at] == '\n') {
                    lines.accept(new String(all, from, at - from, StandardCharsets.UTF_8));
                    from = at + 1;
                }
            }
            rest = Arrays.copyOfRange(all, from, all.length);
        }
    }

    private HttpRequest request(String method, String uri, @Nullable String body) {
        HttpRequest.Builder builder = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(uri)
                .header("Accept", JSON)
                .timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return (body == null ? builder : builder.method(method, JSON, body)).build();
    }

    private Answer send(HttpRequest request) {
        long sentAt = ticker.nanos();
        try {
            HttpResponse<byte[]> response =
                    client.getHttpClient().sendAsync(request, byte[].class).join();
            clock.heard(date(response), sentAt, ticker.nanos());
            byte[] body = response.body();
            String text = body == null ? "" : new String(body, StandardCharsets.UTF_8);
            return new Answer(response.code(), text, sentAt);
        } catch (RejectedExecutionException | IllegalStateException e) {
            throw Failures.closed(e);
        } catch (CompletionException e) {
            throw Failures.unreachable(client.getMasterUrl().getAuthority(), e.getCause() == null ? e : e.getCause());
        }
    }

    private static Instant date(HttpResponse<?> response) {
        String header = response.header("Date");
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header == null ? "" : header));
        } catch (DateTimeException e) {
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.MISCONFIGURED,
                    "The Kubernetes API server, or something before it, answers without a date, and by no other clock"
                            + " can a lease be judged.",
                    e);
        }
    }

    private StoreUnavailable refused(Answer answer) {
        String said = answer.text();
        try {
            Status status = serialization.unmarshal(said, Status.class);
            said = status == null || status.getMessage() == null ? said : status.getMessage();
        } catch (RuntimeException e) {
            // Not the server's own words; they are shown as they are.
        }
        return Failures.refused(answer.code(), said, namespace);
    }

    private Lease lease(Answer answer) {
        return serialization.unmarshal(answer.text(), Lease.class);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
