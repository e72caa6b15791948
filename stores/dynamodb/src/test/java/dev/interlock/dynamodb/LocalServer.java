package dev.interlock.dynamodb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The real DynamoDB Local, in a JVM of its own that dies with this one. One for all tests; each has its own table. */
final class LocalServer {
    private static final Path JARS =
            Path.of("..", "dynamodb-local", "target", "lib").toAbsolutePath().normalize();
    private static final LocalServer SHARED = start();

    private final AtomicInteger tables = new AtomicInteger();
    private final Process process;
    private final int port;

    private LocalServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static LocalServer shared() {
        return SHARED;
    }

    private static LocalServer start() {
        try {
            int port = freePort();
            // The guard ends when our end of its input does, however we end, and takes the server with it.
            Process process = new ProcessBuilder(List.of(
                            "sh",
                            "-c",
                            "\"$@\" & read gone; kill -9 $!",
                            "sh",
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            JARS + "/*",
                            "software.amazon.dynamodb.services.local.main.ServerRunner",
                            "-port",
                            String.valueOf(port),
                            "-inMemory",
                            "-sharedDb",
                            "-disableTelemetry"))
                    .redirectErrorStream(true)
                    .redirectOutput(
                            Files.createTempFile("dynamodb-local-", ".log").toFile())
                    .start();
            LocalServer server = new LocalServer(process, port);
            server.awaitReady();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        try (DynamoDbClient client = client()) {
            while (true) {
                try {
                    client.listTables();
                    return;
                } catch (SdkException e) {
                    if (System.nanoTime() - giveUp > 0
                            || process.descendants().findAny().isEmpty()) {
                        throw new IllegalStateException("DynamoDB Local does not start from " + JARS, e);
                    }
                }
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** A client that sees and may change what goes to and fro. */
    DynamoDbClient client(ExecutionInterceptor... interceptors) {
        return DynamoClients.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(endpoint())
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .overrideConfiguration(override -> {
                    override.retryStrategy(RetryMode.STANDARD);
                    List.of(interceptors).forEach(override::addExecutionInterceptor);
                })
                .build();
    }

    /** The name of a new, empty table. */
    String table() {
        String name = "locks-" + tables.incrementAndGet();
        try (DynamoDbClient client = client()) {
            DynamoTable.create(client, name, false, dev.interlock.core.system.SystemPorts.create());
        }
        return name;
    }
}
