package dev.interlock.app.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Shows a process to those who watch it: {@code /metrics} for Prometheus, {@code /healthz} while it lives, {@code
 * /readyz} while it takes work. It has few threads, and nobody keeps one for long.
 */
public final class MetricsEndpoint implements AutoCloseable {
    private static final String EXPOSITION = "text/plain; version=0.0.4; charset=utf-8";
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final int THREADS = 4;
    private static final int WAITING = 64;

    static {
        // The server reads these once, before its first use. Without them whoever is slow keeps a thread for ever.
        limit("sun.net.httpserver.maxReqTime", "5");
        limit("sun.net.httpserver.maxRspTime", "30");
        limit("jdk.httpserver.maxConnections", "64");
    }

    private final PrometheusMeterRegistry registry;
    private final BooleanSupplier ready;
    private final HttpServer server;
    private final ExecutorService threads;

    private record Answer(int status, String type, String body) {
        static Answer plain(int status, String sentence) {
            return new Answer(status, PLAIN, sentence + "\n");
        }
    }

    private MetricsEndpoint(PrometheusMeterRegistry registry, BooleanSupplier ready, HttpServer server) {
        this.registry = registry;
        this.ready = ready;
        this.server = server;
        ThreadFactory daemons =
                Thread.ofPlatform().daemon().name("interlock-metrics-", 0).factory();
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(WAITING), daemons);
    }

    /** Opens it for a process that is always ready. */
    public static MetricsEndpoint open(String address, PrometheusMeterRegistry registry) {
        return open(address, registry, () -> true);
    }

    /**
     * Opens it.
     *
     * @param address [HOST:]PORT; without a host only this machine can reach it
     * @param ready whether the process takes work
     * @throws IllegalArgumentException if that is no address
     * @throws UncheckedIOException if nobody can listen there
     */
    public static MetricsEndpoint open(String address, PrometheusMeterRegistry registry, BooleanSupplier ready) {
        InetSocketAddress place = ListenAddress.parse(address);
        try {
            MetricsEndpoint endpoint = new MetricsEndpoint(registry, ready, HttpServer.create(place, 0));
            endpoint.start();
            return endpoint;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot show metrics at " + address + ": " + e.getMessage() + ".", e);
        }
    }

    private static void limit(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private void start() {
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** Where it listens; of port 0 the one that was free. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer =
                    answer(exchange.getRequestMethod(), exchange.getRequestURI().getPath());
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            boolean bodyless = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), bodyless ? -1 : body.length);
            if (!bodyless) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Answer answer(String method, String path) {
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Answer.plain(405, "Only GET and HEAD are answered here.");
        }
        return switch (path) {
            case "/metrics" -> new Answer(200, EXPOSITION, registry.scrape());
            case "/healthz" -> Answer.plain(200, "ok");
            case "/readyz" -> ready.getAsBoolean() ? Answer.plain(200, "ready") : Answer.plain(503, "not ready");
            default -> Answer.plain(404, "There are /metrics, /healthz and /readyz.");
        };
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
