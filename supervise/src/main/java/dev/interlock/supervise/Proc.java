package dev.interlock.supervise;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What Linux tells about this process in /proc. */
final class Proc {
    private Proc() {}

    static byte[] bytes(String file) {
        try (FileInputStream in = new FileInputStream(file)) {
            return in.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static String text(String file) {
        return new String(bytes(file), StandardCharsets.ISO_8859_1);
    }

    /** A set of signals as /proc/self/status shows it: {@code SigBlk}, {@code SigIgn} or {@code SigCgt}; bit n - 1 is n. */
    static long signals(String status, String set) {
        int start = status.indexOf(set) + set.length() + 2;
        return Long.parseUnsignedLong(status, start, start + 16, 16);
    }

    /** The numbers of /proc/self/stat from the parent's pid (0) on: then group, session, terminal, foreground group. */
    static int stat(int index) {
        String stat = text("/proc/self/stat");
        int at = stat.lastIndexOf(')') + 4;
        for (int i = 0; i < index; i++) {
            at = stat.indexOf(' ', at) + 1;
        }
        return Integer.parseInt(stat, at, stat.indexOf(' ', at), 10);
    }
}
