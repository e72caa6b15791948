package dev.interlock.supervise;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/** The open descriptors of this process: those it was started with belong to the command, the JVM's own do not. */
final class Descriptors {
    private static final String LIST = Os.HERE == Os.LINUX ? "/proc/self/fd" : "/dev/fd";

    private Descriptors() {}

    /** By which this process can open one of its own descriptors once more. */
    static String file(int fd) {
        return LIST + "/" + fd;
    }

    static BitSet standard() {
        BitSet standard = new BitSet();
        standard.set(0, 3);
        return standard;
    }

    static BitSet open() {
        BitSet open = new BitSet();
        String[] names = new File(LIST).list();
        if (names != null) {
            for (String name : names) {
                open.set(Integer.parseInt(name));
            }
        }
        return open;
    }

    /** Of those open now, what this process was started with. To be asked before it opens any of its own. */
    static BitSet inherited() {
        if (Os.HERE != Os.LINUX) {
            return standard(); // a descriptor's file cannot be told there, and so not whose it is
        }
        BitSet inherited = open();
        for (int fd = inherited.nextSetBit(0); fd >= 0; fd = inherited.nextSetBit(fd + 1)) {
            inherited.set(fd, !isOfTheJvm(fd));
        }
        return inherited;
    }

    private static boolean isOfTheJvm(int fd) {
        String file;
        try {
            file = Files.readSymbolicLink(Path.of(LIST, Integer.toString(fd))).toString();
        } catch (IOException closed) {
            return true; // the descriptor by which the list itself was read
        }
        return file.startsWith(System.getProperty("java.home")) || (file.endsWith(".jar") && isOnClassPath(file));
    }

    private static boolean isOnClassPath(String file) {
        String path = System.getProperty("java.class.path", "");
        try {
            for (String entry : path.split(File.pathSeparator, -1)) {
                if (new File(entry).getCanonicalPath().equals(file)) {
                    return true;
                }
            }
        } catch (IOException unreadable) {
            return false;
        }
        return false;
    }
}
