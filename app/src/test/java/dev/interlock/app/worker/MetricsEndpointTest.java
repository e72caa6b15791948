package dev.interlock.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.work.Gauges;
import dev.interlock.core.work.Gauges.Level;
import dev.interlock.core.work.Gauges.Levels;
import dev.interlock.core.work.WorkEvent;
import dev.interlock.testing.promtool.Promtool;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class MetricsEndpointTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicBoolean ready = new AtomicBoolean(true);
    private final MetricsEndpoint endpoint = MetricsEndpoint.open("0", registry, ready::get);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        client.close();
        endpoint.close();
    }

    @Test
    void prometheus_gets_what_was_counted() throws Exception {
        Counter.builder("interlock_takeovers")
                .description("Takeovers")
                .register(registry)
                .increment();

        HttpResponse<String> answer = get("/metrics");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.body().lines()).contains("interlock_takeovers_total 1.0");
    }

    @Test
    void a_worker_shows_what_it_does_what_its_store_holds_and_how_its_machine_fares() throws Exception {
        ManualPorts time = new ManualPorts(1);
        Instant noon = Instant.parse("2026-11-16T12:00:00Z");
        Level none = Level.NONE;
        Gauges store = () -> new Levels(noon, new Level(7, noon), none, none, none, Map.of());
        try (WorkerMetrics metrics = new WorkerMetrics(store, time.ports(), () -> noon);
                MetricsEndpoint shown = MetricsEndpoint.open("0", metrics.registry())) {
            time.advance(Duration.ZERO);
            metrics.observer().saw(new WorkEvent.Submitted());

            String answer = client.send(request(shown, "/metrics").build(), BodyHandlers.ofString())
                    .body();

            assertThat(answer.lines()).contains("interlock_submissions_total 1.0", "interlock_queue_length 7.0");
            assertThat(answer).contains("jvm_memory_used_bytes", "process_uptime_seconds");
            Promtool.Result lint =
                    Promtool.run(Path.of("."), answer.getBytes(StandardCharsets.UTF_8), "check", "metrics");
            assertThat(lint.status()).as(lint.output()).isZero();
        }
    }

    @Test
    void it_lives_also_while_it_is_not_ready() throws Exception {
        assertThat(get("/readyz").statusCode()).isEqualTo(200);

        ready.set(false);

        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics/", "/metrics/more", "/healthz2"})
    void nothing_else_is_there(String path) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void nothing_can_be_changed_here() throws Exception {
        HttpRequest post =
                request("/metrics").POST(BodyPublishers.ofString("x")).build();
        HttpRequest head =
                request("/metrics").method("HEAD", BodyPublishers.noBody()).build();

        assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
        assertThat(client.send(head, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    /** Each of them would keep a thread if nobody took it away. */
    @Test
    void those_who_never_finish_their_question_keep_nobody_from_an_answer() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int one = 0; one < 8; one++) {
                Socket socket = new Socket(
                        endpoint.address().getAddress(), endpoint.address().getPort());
                socket.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));
                slow.add(socket);
            }

            assertThat(get("/healthz").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void without_a_host_only_this_machine_can_reach_it() {
        assertThat(endpoint.address().getAddress().isLoopbackAddress()).isTrue();
    }

    @Test
    void a_place_that_is_taken_is_named() {
        String taken = "127.0.0.1:" + endpoint.address().getPort();

        assertThatThrownBy(() -> MetricsEndpoint.open(taken, registry))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("Cannot show metrics at " + taken + ": Address already in use.");
    }

    @ParameterizedTest
    @CsvSource({
        "9464, 127.0.0.1, 9464",
        "0.0.0.0:9464, 0.0.0.0, 9464",
        "localhost:1, 127.0.0.1, 1",
        "[::1]:65535, 0:0:0:0:0:0:0:1, 65535"
    })
    void an_address_is_a_port_with_or_without_a_host(String text, String host, int port) {
        InetSocketAddress address = ListenAddress.parse(text);

        assertThat(address.getAddress().getHostAddress()).isEqualTo(host);
        assertThat(address.getPort()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", ":9464", "65536", "localhost", "localhost:", "::1:9464", "1:2:3", "-1", "a b:1", "[x]:1"
            })
    void what_is_no_address_is_refused_with_an_example(String text) {
        assertThatThrownBy(() -> ListenAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text
                        + "' is no address to listen on. Give [HOST:]PORT, such as 9464, 0.0.0.0:9464 or [::1]:9464.");
    }

    private HttpRequest.Builder request(String path) {
        return request(endpoint, path);
    }

    private static HttpRequest.Builder request(MetricsEndpoint shown, String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + shown.address().getPort() + path));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }
}
