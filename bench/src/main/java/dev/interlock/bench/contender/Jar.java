package dev.interlock.bench.contender;

import java.nio.file.Path;

/** Names the jar that a class was loaded from, which says what was measured and in which version. */
public final class Jar {
    private Jar() {}

    public static String of(Class<?> type) {
        var jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return "`" + Path.of(jar).getFileName() + "`";
    }
}
