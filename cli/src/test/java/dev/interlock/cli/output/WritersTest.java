package dev.interlock.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WritersTest {
    private static final Data.Fields DATA = new Data.Fields()
            .with("name", "prod/db")
            .with("token", 42L)
            .with("held", true)
            .with("ticket", (String) null)
            .with("at", Instant.parse("2026-11-16T14:02:15.123456Z"))
            .with("lease", Duration.ofMillis(30_500))
            .with("holder", new Data.Fields().with("user", "alice").with("reason", "say \"hi\"\n\033[31m"))
            .with(
                    "queue",
                    List.of(
                            new Data.Fields().with("position", 1).with("user", "no"),
                            new Data.Fields().with("position", 2).with("user", "2026-11-16")))
            .with("none", List.of());

    @Test
    void json_is_indented_and_safe_to_look_at() {
        assertThat(Json.write(DATA)).isEqualTo("""
                {
                  "name": "prod/db",
                  "token": 42,
                  "held": true,
                  "ticket": null,
                  "at": "2026-11-16T14:02:15.123Z",
                  "lease": 30.5,
                  "holder": {
                    "user": "alice",
                    "reason": "say \\"hi\\"\\n\\u001b[31m"
                  },
                  "queue": [
                    {
                      "position": 1,
                      "user": "no"
                    },
                    {
                      "position": 2,
                      "user": "2026-11-16"
                    }
                  ],
                  "none": []
                }
                """);
    }

    @Test
    void yaml_quotes_whatever_could_be_taken_for_something_else() {
        assertThat(Yaml.write(DATA)).isEqualTo("""
                name: prod/db
                token: 42
                held: true
                ticket: null
                at: "2026-11-16T14:02:15.123Z"
                lease: 30.5
                holder:
                  user: alice
                  reason: "say \\"hi\\"\\n\\u001b[31m"
                queue:
                  - position: 1
                    user: "no"
                  - position: 2
                    user: "2026-11-16"
                none: []
                """);
    }

    @Test
    void a_table_aligns_its_columns_and_cuts_nothing_without_a_terminal() {
        Table table = Table.of("NAME", "TOKEN", "HOLDER")
                .row("prod/database", 7, "a\033[1m")
                .row("東京", 12, "bob");
        assertThat(table.render(0, false)).isEqualTo("""
                NAME           TOKEN  HOLDER
                prod/database  7      a\\u{1b}[1m
                東京           12     bob
                """);
    }

    @Test
    void on_a_narrow_terminal_the_widest_column_gives_way() {
        Table table = Table.of("NAME", "TOKEN").row("a/very/long/name/of/a/target", 7);
        assertThat(table.render(20, false)).isEqualTo("""
                NAME           TOKEN
                a/very/long/…  7
                """);
    }

    @Test
    void colours_do_not_count_as_width() {
        Table table = Table.of("A", "B").row(Table.cell("ok", Style.GOOD), "x");
        assertThat(table.render(0, true)).isEqualTo("\033[1mA\033[0m   \033[1mB\033[0m\n\033[32mok\033[0m  x\n");
    }
}
