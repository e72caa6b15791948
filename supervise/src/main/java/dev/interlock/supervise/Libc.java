package dev.interlock.supervise;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The C library through one downcall shape, {@code long f(long × 6)}: linking a shape takes several milliseconds at start.
 * It fits every function of integers and pointers on x86-64 and aarch64, except variadic ones on macOS.
 */
final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup SYMBOLS = LINKER.defaultLookup();
    private static final MethodHandle CALL = link();

    private Libc() {}

    @SuppressWarnings("restricted")
    private static MethodHandle link() {
        return LINKER.downcallHandle(
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    static boolean has(String function) {
        return SYMBOLS.find(function).isPresent();
    }

    static int call(String function) {
        return call(function, 0, 0, 0);
    }

    static int call(String function, long a) {
        return call(function, a, 0, 0);
    }

    static int call(String function, long a, long b) {
        return call(function, a, b, 0);
    }

    static int call(String function, long a, long b, long c) {
        return call(function, a, b, c, 0, 0, 0);
    }

    static int call(String function, long a, long b, long c, long d, long e, long f) {
        return (int) invoke(function, a, b, c, d, e, f);
    }

    /** The words the C library has for an error number. */
    static String errorText(int errno) {
        return Memory.textAt(invoke("strerror", errno, 0, 0, 0, 0, 0));
    }

    /** Where the pointers to this process's environment begin; a null pointer ends them. */
    static long environment() {
        long variable = Os.HERE == Os.MAC
                ? invoke("_NSGetEnviron", 0, 0, 0, 0, 0, 0)
                : SYMBOLS.find("environ").orElseThrow().address();
        return Memory.at(variable).getLong(0);
    }

    private static long invoke(String function, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) CALL.invokeExact(SYMBOLS.find(function).orElseThrow(), a, b, c, d, e, f);
        } catch (Throwable broken) {
            throw new IllegalStateException(function, broken);
        }
    }
}
