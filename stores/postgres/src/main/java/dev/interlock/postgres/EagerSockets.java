package dev.interlock.postgres;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * Sockets for the connection that listens. After each notification pgjdbc looks for a further one with a read that may
 * block for a millisecond, and hands the first one over only then. Here that look is answered at once.
 */
public final class EagerSockets extends SocketFactory {
    /** The time limit with which pgjdbc looks, and with which it does nothing else. */
    private static final int LOOK_MILLIS = 1;

    @Override
    public Socket createSocket() {
        return new EagerSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    private static Socket connected(InetSocketAddress remote) throws IOException {
        return connected(remote, new InetSocketAddress(0));
    }

    private static Socket connected(InetSocketAddress remote, InetSocketAddress local) throws IOException {
        Socket socket = new EagerSocket();
        socket.bind(local);
        socket.connect(remote);
        return socket;
    }

    private static final class EagerSocket extends Socket {
        private volatile boolean looking;

        @Override
        public void setSoTimeout(int millis) throws SocketException {
            looking = millis == LOOK_MILLIS;
            if (!looking) {
                super.setSoTimeout(millis);
            }
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    answerLook();
                    return in.read();
                }

                @Override
                public int read(byte[] target, int offset, int length) throws IOException {
                    answerLook();
                    return in.read(target, offset, length);
                }

                private void answerLook() throws IOException {
                    if (looking && in.available() == 0) {
                        throw new SocketTimeoutException("nothing has arrived");
                    }
                }
            };
        }
    }
}
