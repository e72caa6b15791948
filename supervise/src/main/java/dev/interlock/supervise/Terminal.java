package dev.interlock.supervise;

import java.io.FileInputStream;
import java.io.IOException;

/** This process's controlling terminal, whose keys the kernel turns into signals for its whole foreground group. */
final class Terminal {
    private static final int GROUP = 1;
    private static final int TERMINAL = 3;
    private static final int FOREGROUND_GROUP = 4;

    private Terminal() {}

    static boolean controls() {
        return Os.HERE == Os.LINUX ? Proc.stat(TERMINAL) != 0 : !hasHungUp();
    }

    static boolean isOurs() {
        if (Os.HERE == Os.LINUX) {
            return controls() && Proc.stat(GROUP) == Proc.stat(FOREGROUND_GROUP);
        }
        return Libc.call("tcgetpgrp", 0) == Libc.call("getpgrp") || Libc.call("tcgetpgrp", 2) == Libc.call("getpgrp");
    }

    static boolean hasHungUp() {
        try {
            new FileInputStream("/dev/tty").close();
            return false;
        } catch (IOException gone) {
            return true;
        }
    }
}
