package dev.interlock.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The ports of 127.0.0.1, where the server answers, whichever family of addresses the JVM prefers. */
final class Loopback {
    private static final int TIMEOUT_MS = 2_000;
    private static final int PROTOCOL_3_0 = 196_608;
    private static final int AUTHENTICATION = 'R';

    private Loopback() {}

    /**
     * Whether a PostgreSQL on that port lets clients in, as {@code pg_isready} would tell: it then asks for the
     * password, and answers with an error while it starts, recovers or stops.
     */
    static boolean letsIn(int port) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(new InetSocketAddress(address(), port), TIMEOUT_MS);
            socket.getOutputStream().write(startup());
            return socket.getInputStream().read() == AUTHENTICATION;
        } catch (IOException e) {
            return false;
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, address())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new EmbeddedUnavailable("No port is free on " + Address.HOST + ".", e);
        }
    }

    private static InetAddress address() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    private static byte[] startup() throws IOException {
        byte[] parameters = "user\0interlock\0database\0interlock\0\0".getBytes(US_ASCII);
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(message);
        out.writeInt(2 * Integer.BYTES + parameters.length);
        out.writeInt(PROTOCOL_3_0);
        out.write(parameters);
        return message.toByteArray();
    }
}
