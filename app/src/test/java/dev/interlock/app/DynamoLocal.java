package dev.interlock.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;

/** The real DynamoDB Local, in a JVM of its own that dies with this one. */
final class DynamoLocal implements AutoCloseable {
    private static final Path JARS = Path.of("..", "stores", "dynamodb-local", "target", "lib")
            .toAbsolutePath()
            .normalize();

    private final Process process;
    private final int port;

    private DynamoLocal(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static DynamoLocal start() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        // The guard ends when our end of its input does, however we end, and takes the server with it.
        Process process = new ProcessBuilder(List.of(
                        "sh",
                        "-c",
                        "\"$@\" & read gone; kill -9 $!",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
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
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        DynamoLocal server = new DynamoLocal(process, port);
        Running.await("DynamoDB Local from " + JARS, server::answers);
        return server;
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    String address(String table) {
        return "dynamodb://" + table + "?region=eu-central-1&endpoint=http://127.0.0.1:" + port;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }
}
