package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever looks for life after its time must be able to find it. */
class SectionTest {
    @Test
    void a_beat_at_the_end_of_its_time_or_after_it_is_found(@TempDir Path directory) throws IOException {
        Section section = Section.in(directory);
        Files.writeString(directory.resolve("journal.7"), "10\n20\n30\n");

        assertThat(section.beatsAfter(20, 7)).containsExactly(20L, 30L);
        assertThat(section.beatsAfter(31, 7)).isEmpty();
        assertThat(section.beatsAfter(20, 8)).isEmpty();
    }
}
