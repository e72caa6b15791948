package dev.interlock.bench.postgres;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;

/** How fast the disk and the bare server are, so that figures of different machines can be read side by side. */
public final class Probe {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int PAGE = 8192;

    private Probe() {}

    /** Pages overwritten and synced to this disk, one after the other, in a second. */
    public static double syncsPerSecond(Path directory) throws IOException {
        var file = directory.resolve("probe");
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            return perSecond(() -> {
                channel.write(ByteBuffer.allocate(PAGE), 0);
                channel.force(false);
            });
        } finally {
            Files.delete(file);
        }
    }

    /** Single-row inserts committed by one connection, one after the other, in a second. */
    public static double commitsPerSecond(Database database) throws SQLException {
        database.run("CREATE TABLE probe (i integer)");
        try (var connection = database.connect();
                var insert = connection.prepareStatement("INSERT INTO probe VALUES (1)")) {
            return perSecond(insert::executeUpdate);
        }
    }

    private interface Step<E extends Exception> {
        void take() throws E;
    }

    private static <E extends Exception> double perSecond(Step<E> step) throws E {
        var start = System.nanoTime();
        var steps = 0;
        while (System.nanoTime() - start < SECOND) {
            step.take();
            steps++;
        }
        return steps * (double) SECOND / (System.nanoTime() - start);
    }
}
