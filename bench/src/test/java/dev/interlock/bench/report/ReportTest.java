package dev.interlock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.bench.report.Report.Fact;
import dev.interlock.bench.report.Report.Section;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Figure RATE = Figure.compared("cycles", Unit.PER_SECOND);
    private static final Figure JAIN = Figure.absolute("Jain index", Unit.NUMBER);

    @Test
    void the_report_says_where_and_how_then_shows_a_table_for_each_workload_then_the_settings() {
        var settings = new LinkedHashMap<String, String>();
        settings.put("raw", "two statements");
        settings.put("other", "three statements");
        var table = new Table(
                "callers",
                List.of("raw", "other"),
                "raw",
                List.of(
                        new Measurement(0, "8", "raw", RATE, 4000),
                        new Measurement(0, "8", "raw", JAIN, 1),
                        new Measurement(0, "8", "other", RATE, 1000)));
        var section = new Section("Speed", "All run.", table, List.of("One is missing."), settings);
        var report = new Report(List.of(new Fact("date", "today"), new Fact("memory", "1 GiB")), List.of(section));

        assertThat(report.markdown()).isEqualTo("""
                # Interlock beside its peers

                - date: today
                - memory: 1 GiB

                Each value is the median of the rounds. The first contender of a table is its baseline and is shown as it is; \
                the others as the ratio to the baseline of the same round, with the value itself in brackets.

                ## Speed

                All run.

                | callers | figure | raw | other |
                | --- | --- | ---: | ---: |
                | 8 | cycles | 4,000/s | 0.25 × (1,000/s) |
                | 8 | Jain index | 1.00 | – |

                One is missing.

                ## Contenders

                - **raw**: two statements
                - **other**: three statements
                """);
    }
}
