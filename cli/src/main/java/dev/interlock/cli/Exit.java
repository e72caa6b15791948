package dev.interlock.cli;

import dev.interlock.core.StoreUnavailable;

/** Exit codes, after sysexits.h where it has one. A command under {@code run} brings its own, 126 to 128+n as in shells. */
final class Exit {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 64;
    static final int UNAVAILABLE = 69;
    static final int INTERNAL = 70;
    static final int OUTPUT = 74;
    static final int REFUSED = 75;
    static final int FORBIDDEN = 77;
    static final int MISCONFIGURED = 78;
    static final int LOST = 79;
    static final int WAITED_TOO_LONG = 124;
    static final int NOT_EXECUTABLE = 126;
    static final int NOT_FOUND = 127;
    static final int INTERRUPTED = 130;

    private Exit() {}

    static int of(StoreUnavailable.Kind kind) {
        return switch (kind) {
            case UNREACHABLE, BUSY, READ_ONLY, RECOVERING -> UNAVAILABLE;
            case FORBIDDEN -> FORBIDDEN;
            case TOO_NEW, MISCONFIGURED -> MISCONFIGURED;
            case BROKEN -> INTERNAL;
        };
    }
}
