package dev.interlock.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published rules do what they say, in Prometheus's own words. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RulesTest {
    private static final Path RULES = Path.of("..", "deploy", "prometheus", "locks.rules.yml");
    private static final Path TESTS = Path.of("src", "test", "prometheus", "locks.test.yml");

    @TempDir
    Path directory;

    @Test
    void the_rules_are_well_formed() throws IOException {
        write(Files.readString(RULES));

        Promtool.Result result = Promtool.run(directory, "check", "rules", "locks.rules.yml");

        assertThat(result.status()).as(result.output()).isZero();
    }

    @Test
    void each_target_is_watched_for_each_service() throws IOException {
        write(Files.readString(RULES));

        Promtool.Result result = Promtool.run(directory, "test", "rules", "locks.test.yml");

        assertThat(result.status()).as(result.output()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "< 0.999, < 0.5",
                "> 0.05, > 0.5",
                "> 0.020, > 2",
                "reason=\"contention\", reason=\"cancelled\"",
                "{reason=\"api_error\"}, {}",
                "for: 5m, for: 0m",
                "histogram_quantile(0.95, histogram_quantile(0.5",
            })
    void a_rule_that_misses_its_target_is_noticed(String right, String wrong) throws IOException {
        String rules = Files.readString(RULES);
        assertThat(rules).contains(right);
        write(rules.replace(right, wrong));

        Promtool.Result result = Promtool.run(directory, "test", "rules", "locks.test.yml");

        assertThat(result.status()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains("FAILED");
    }

    private void write(String rules) throws IOException {
        Files.writeString(directory.resolve("locks.rules.yml"), rules);
        Files.copy(TESTS, directory.resolve("locks.test.yml"));
    }
}
