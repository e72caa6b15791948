package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PasswordFileTest {
    @TempDir
    Path directory;

    private final List<String> notices = new ArrayList<>();

    private PasswordFile file(String mode, String... lines) throws IOException {
        Path file = directory.resolve("pgpass");
        Files.write(file, List.of(lines));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return new PasswordFile(file, notices::add);
    }

    @Test
    void the_first_line_that_matches_counts() throws IOException {
        PasswordFile file = file(
                "rw-------",
                "# db:5432:locks:ann:comment",
                "other:5432:locks:ann:wrong",
                "db:*:locks:ann:with\\:colon\\\\:and:more",
                "*:*:*:*:any");
        assertThat(file.find("db", "5432", "locks", "ann")).isEqualTo(new Secret("with:colon\\:and:more"));
        assertThat(file.find("db", "5432", "locks", "bob")).isEqualTo(new Secret("any"));
        assertThat(notices).isEmpty();
    }

    @Test
    void a_file_that_others_can_read_is_not_used() throws IOException {
        PasswordFile file = file("rw-r-----", "*:*:*:*:canary");
        assertThat(file.find("db", "5432", "locks", "ann")).isNull();
        assertThat(notices).hasSize(1).allMatch(notice -> notice.contains("chmod 600") && !notice.contains("canary"));
    }

    @Test
    void no_file_is_no_news() {
        assertThat(new PasswordFile(directory.resolve("none"), notices::add).find("db", "5432", "locks", "ann"))
                .isNull();
        assertThat(notices).isEmpty();
    }
}
