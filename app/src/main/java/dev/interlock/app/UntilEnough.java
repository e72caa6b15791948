package dev.interlock.app;

import java.io.IOException;
import java.io.OutputStream;

/** Output to a reader who may stop reading, as {@code head} does: that is no failure, and nothing more is written. */
final class UntilEnough extends OutputStream {
    private final OutputStream out;
    private boolean enough;

    UntilEnough(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        if (enough) {
            return;
        }
        try {
            out.write(bytes, from, count);
        } catch (IOException e) {
            if (!"Broken pipe".equals(e.getMessage())) {
                throw e;
            }
            enough = true;
        }
    }
}
