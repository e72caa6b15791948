package dev.interlock.app.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a service writes, as a process of its own. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class ServiceLogTest {
    private record Written(String out, String err) {}

    @Test
    void text_names_the_attempt_in_one_line_on_the_standard_error() throws Exception {
        Written written = run("");

        assertThat(written.out()).isEmpty();
        assertThat(written.err())
                .matches(
                        "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO  Runs: Stopping\\. "
                                + "execution=\"exec-7\" attempt=\"2\" token=\"41\" target=\"prod/db\" correlation=\"req-\"9\"\"\\R");
    }

    @Test
    void json_has_the_same_pairs_in_one_line() throws Exception {
        Written written = run("json");

        assertThat(written.out()).isEmpty();
        assertThat(written.err().lines()).hasSize(1);
        assertThat(written.err())
                .contains(
                        "\"level\":\"INFO\"",
                        "\"formattedMessage\":\"Stopping.\"",
                        "{\"execution\":\"exec-7\"}",
                        "{\"token\":\"41\"}",
                        "{\"target\":\"prod\\/db\"}",
                        "{\"correlation\":\"req-\\\"9\\\"\"}");
    }

    @Test
    void another_format_is_refused() {
        assertThatThrownBy(() -> ServiceLog.begin(Map.of("INTERLOCK_LOG", "xml")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("INTERLOCK_LOG is text or json, not 'xml'.");
    }

    private static Written run(String format) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder =
                new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), SaysSomething.class.getName());
        builder.environment().put("INTERLOCK_LOG", format);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(err).isZero();
        return new Written(out, err);
    }
}
