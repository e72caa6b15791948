package dev.interlock.app;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A way to a server that can be cut without anybody being told: connections stay open and new ones are accepted, but
 * nothing goes through until it is mended. Then everything that was sent meanwhile arrives, late.
 */
final class Wire implements AutoCloseable {
    private final ServerSocket entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ReentrantLock guard = new ReentrantLock();
    private final Condition mended = guard.newCondition();
    private final ByteArrayOutputStream heldBack = new ByteArrayOutputStream();
    private boolean cut;
    private long answered;

    Wire(int server) throws IOException {
        this.server = server;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return entrance.getLocalPort();
    }

    void cut() {
        guard.lock();
        try {
            cut = true;
        } finally {
            guard.unlock();
        }
    }

    void mend() {
        guard.lock();
        try {
            cut = false;
            answered = 0;
            mended.signalAll();
        } finally {
            guard.unlock();
        }
    }

    /** Whether this was sent to the server since the wire was cut. */
    boolean holdsBack(String text) {
        guard.lock();
        try {
            return heldBack.toString(StandardCharsets.ISO_8859_1).contains(text);
        } finally {
            guard.unlock();
        }
    }

    /** How many bytes the server has sent since the wire was mended. */
    long answered() {
        guard.lock();
        try {
            return answered;
        } finally {
            guard.unlock();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                Socket onward = new Socket(InetAddress.getLoopbackAddress(), server);
                sockets.addAll(List.of(client, onward));
                Thread.ofVirtual().start(() -> forward(client, onward, true));
                Thread.ofVirtual().start(() -> forward(onward, client, false));
            }
        } catch (IOException e) {
            // The entrance was closed.
        }
    }

    private void forward(Socket from, Socket to, boolean request) {
        byte[] bytes = new byte[8192];
        try {
            for (int length; (length = from.getInputStream().read(bytes)) >= 0; ) {
                pass(bytes, length, request);
                to.getOutputStream().write(bytes, 0, length);
            }
            pass(bytes, 0, request); // its end comes no sooner than what was sent before
            to.shutdownOutput();
        } catch (IOException e) {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pass(byte[] bytes, int length, boolean request) {
        guard.lock();
        try {
            if (cut && request) {
                heldBack.write(bytes, 0, length);
            }
            while (cut) {
                mended.awaitUninterruptibly();
            }
            answered += request ? 0 : length;
        } finally {
            guard.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        mend();
        entrance.close();
        sockets.forEach(Wire::close);
    }
}
