package dev.interlock.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testing.promtool.Promtool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The published rules do what they say, in Prometheus's own words. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RulesTest {
    private static final Path RULES = Path.of("..", "deploy", "prometheus");
    private static final Path TESTS = Path.of("src", "test", "prometheus");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"locks", "executions"})
    void the_rules_are_well_formed(String subject) throws IOException {
        write(subject, rules(subject));

        Promtool.Result result = Promtool.run(directory, "check", "rules", subject + ".rules.yml");

        assertThat(result.status()).as(result.output()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "executions"})
    void each_alert_fires_when_it_should_and_only_then(String subject) throws IOException {
        write(subject, rules(subject));

        Promtool.Result result = Promtool.run(directory, "test", "rules", subject + ".test.yml");

        assertThat(result.status()).as(result.output()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "locks, < 0.999, < 0.5",
                "locks, > 0.05, > 0.5",
                "locks, > 0.020, > 2",
                "locks, reason=\"contention\", reason=\"cancelled\"",
                "locks, {reason=\"api_error\"}, {}",
                "locks, for: 5m, for: 0m",
                "locks, `histogram_quantile(0.95,`, `histogram_quantile(0.5,`",
                "executions, > 300, > 302",
                "executions, > 300, >= 300",
                "executions, > 5400, > 6000",
                "executions, > 5400, >= 5400",
                "executions, * 60 > 10, * 60 > 20",
                "executions, * 60 > 10, > 10",
                "executions, {reason=\"contention\"}, {}",
                "executions, for: 2m, for: 0m",
                "executions, {reason!=\"forced\"}, {}",
                "executions, `sum by (instance, reason) (increase`, `sum by (instance, reason) (0 * increase`",
                "executions, > 3600, > 7200",
                "executions, > 3600, >= 3600",
                "executions, max(interlock_sqs_dead_letters) > 0, max(interlock_sqs_dead_letters) > 2",
                "executions, for: 10m, for: 9m",
                "executions, min by (instance) (interlock_sqs_reachable), min(interlock_sqs_reachable)",
                "executions, for: 15m, for: 14m",
                "executions, or vector(0), or vector(1)",
                "executions, interlock_janitor_rounds_total[10m], interlock_janitor_rounds_total[1h]",
                "executions, `max_over_time(sum(interlock_invariant_violations_total)[1d:1m])`, `sum(interlock_invariant_violations_total)`",
            })
    void a_rule_that_misses_its_target_is_noticed(String subject, String right, String wrong) throws IOException {
        String rules = rules(subject);
        assertThat(rules).contains(right);
        write(subject, rules.replace(right, wrong));

        Promtool.Result result = Promtool.run(directory, "test", "rules", subject + ".test.yml");

        assertThat(result.status()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains("FAILED");
    }

    private static String rules(String subject) throws IOException {
        return Files.readString(RULES.resolve(subject + ".rules.yml"));
    }

    private void write(String subject, String rules) throws IOException {
        Files.writeString(directory.resolve(subject + ".rules.yml"), rules);
        Files.copy(TESTS.resolve(subject + ".test.yml"), directory.resolve(subject + ".test.yml"));
    }
}
