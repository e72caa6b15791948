package dev.interlock.supervise;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** A pipe to or from a process that is started with one of its ends. */
record Pipe(int reading, int writing) {
    private static final int O_CLOEXEC = 0x80000;

    static Pipe open() {
        try (Memory memory = new Memory()) {
            ByteBuffer ends = memory.block(8);
            int failed = Os.HERE == Os.LINUX
                    ? Libc.call("pipe2", Memory.address(ends), O_CLOEXEC)
                    : Libc.call("pipe", Memory.address(ends)); // there nothing is inherited that is not named
            if (failed != 0) {
                throw new IllegalStateException("No process can be started: no descriptors are left.");
            }
            return new Pipe(ends.getInt(0), ends.getInt(4));
        }
    }

    void closeReading() {
        Libc.call("close", reading);
    }

    void closeWriting() {
        Libc.call("close", writing);
    }

    /** What is written into it, to its end; the reading end belongs to the stream from now on. */
    InputStream stream() {
        try {
            return new FileInputStream(Descriptors.file(reading));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            closeReading();
        }
    }
}
