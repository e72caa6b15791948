package dev.interlock.bench.dynamodb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A DynamoDB Local of this run's own, in memory, that ends with it. */
final class OwnDynamo implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofMinutes(1);

    private final Process process;
    private final int port;

    private OwnDynamo(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static OwnDynamo start() throws IOException, InterruptedException {
        var jars = Path.of(System.getProperty("interlock.root", "."), "stores", "dynamodb-local", "target", "lib");
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        // The guard ends when our end of its input does, however we end, and takes the server with it.
        var process = new ProcessBuilder(List.of(
                        "sh",
                        "-c",
                        "\"$@\" & read gone; kill -9 $!",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        jars + "/*",
                        "software.amazon.dynamodb.services.local.main.ServerRunner",
                        "-port",
                        Integer.toString(port),
                        "-inMemory",
                        "-sharedDb",
                        "-disableTelemetry"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        var server = new OwnDynamo(process, port);
        server.awaitReady();
        return server;
    }

    private void awaitReady() throws InterruptedException {
        var giveUp = System.nanoTime() + LONGEST_START.toNanos();
        try (var client = client(new ExecutionInterceptor() {})) {
            while (true) {
                try {
                    client.listTables();
                    return;
                } catch (SdkException e) {
                    if (System.nanoTime() - giveUp > 0) {
                        throw e;
                    }
                    Thread.sleep(200);
                }
            }
        }
    }

    DynamoDbClient client(ExecutionInterceptor watching) {
        return DynamoDbClient.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(URI.create("http://127.0.0.1:" + port))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("bench", "bench")))
                .overrideConfiguration(override -> override.addExecutionInterceptor(watching))
                .build();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }
}
