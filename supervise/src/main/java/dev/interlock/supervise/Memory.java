package dev.interlock.supervise;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Memory for the C library, until it is closed. Buffers instead of segments, whose accessors take several milliseconds each
 * at first use.
 */
final class Memory implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();

    /** Zeroes, aligned for any type. */
    ByteBuffer block(int size) {
        return arena.allocate(size, 16).asByteBuffer().order(ByteOrder.nativeOrder());
    }

    long text(String text) {
        return text(text.getBytes(StandardCharsets.UTF_8));
    }

    long text(byte[] bytes) {
        MemorySegment text = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
        return text.address();
    }

    /** An array of pointers, ended by a null pointer. */
    long array(List<Long> pointers) {
        ByteBuffer array = block(8 * (pointers.size() + 1));
        for (long pointer : pointers) {
            array.putLong(pointer);
        }
        return address(array);
    }

    static long address(ByteBuffer block) {
        return MemorySegment.ofBuffer(block.rewind()).address();
    }

    /** What lies there, of whatever length. */
    @SuppressWarnings("restricted")
    static ByteBuffer at(long address) {
        return MemorySegment.ofAddress(address)
                .reinterpret(1 << 30)
                .asByteBuffer()
                .order(ByteOrder.nativeOrder());
    }

    static String textAt(long address) {
        ByteBuffer text = at(address);
        int length = 0;
        while (text.get(length) != 0) {
            length++;
        }
        byte[] bytes = new byte[length];
        text.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        arena.close();
    }
}
