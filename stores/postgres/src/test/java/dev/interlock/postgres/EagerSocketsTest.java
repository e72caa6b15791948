package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The look that pgjdbc takes for a further notification, with a time limit of a millisecond. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class EagerSocketsTest {
    @Test
    void a_look_at_nothing_is_answered_and_one_at_something_finds_it() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new EagerSockets().createSocket(server.getInetAddress(), server.getLocalPort());
                Socket peer = server.accept()) {
            socket.setSoTimeout(1);
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("nothing has arrived");

            peer.getOutputStream().write(new byte[] {42, 43});
            socket.setSoTimeout(0);
            assertThat(socket.getInputStream().read()).isEqualTo(42);
            socket.setSoTimeout(1);

            assertThat(socket.getInputStream().read(new byte[8], 0, 8)).isEqualTo(1);
            assertThatThrownBy(() -> socket.getInputStream().read(new byte[8], 0, 8))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void a_look_does_not_change_how_long_other_reads_wait() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new EagerSockets().createSocket(server.getInetAddress(), server.getLocalPort())) {
            socket.setSoTimeout(30_000);

            socket.setSoTimeout(1);

            assertThat(socket.getSoTimeout()).isEqualTo(30_000);
        }
    }
}
