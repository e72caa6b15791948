package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UntilEnoughTest {
    @Test
    void a_reader_that_has_seen_enough_is_no_failure() throws IOException {
        Process reader = new ProcessBuilder("sh", "-c", "exec 0<&-; echo closed; exec sleep 60").start();
        try {
            assertThat(reader.inputReader().readLine()).isEqualTo("closed");
            PrintStream out = over(reader.getOutputStream());
            out.print("x".repeat(1 << 20));
            out.print("more");
            assertThat(out.checkError()).isFalse();
        } finally {
            reader.destroyForcibly();
        }
    }

    @Test
    void a_full_disk_is_one() throws IOException {
        try (FileOutputStream full = new FileOutputStream("/dev/full")) {
            PrintStream out = over(full);
            out.print("x");
            assertThat(out.checkError()).isTrue();
        }
    }

    private static PrintStream over(OutputStream stream) {
        return new PrintStream(new UntilEnough(stream), false, StandardCharsets.UTF_8);
    }
}
