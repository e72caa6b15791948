package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.Workbench.Said;
import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.LockName;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WhyTest {
    private final Workbench bench = new Workbench();

    @Test
    void a_target_that_nobody_uses_is_free() {
        assertThat(bench.alice("why", "x")).isEqualTo(new Said(0, """
                'x' is free: a request would be granted now.
                RULE         VERDICT  EVIDENCE                               UNTIL
                holder       ok       Nobody has held it yet.
                maintenance  ok       Nobody holds it for maintenance.
                cooldown     ok       No cooldown or lock-delay is running.
                queue        ok       Nobody waits for it.
                """, ""));
    }

    @Test
    void every_rule_that_blocks_shows_its_evidence_and_when_it_ends() {
        bench.alice("locks", "acquire", "x", "--execution", "exec-1", "--ttl", "1m");
        assertThat(bench.bob("why", "x").out()).isEqualTo("""
                'x' is blocked.
                RULE         VERDICT  EVIDENCE                                               UNTIL
                holder       blocks   Held by execution exec-1 (alice on alice-pc, token 1).  2026-11-16T12:01:00Z (in 1m) unless renewed
                maintenance  ok       Nobody holds it for maintenance.
                cooldown     ok       No cooldown or lock-delay is running.
                queue        ok       Nobody waits for it.
                """.replace(
                        "EVIDENCE                                               UNTIL",
                        "EVIDENCE                                                UNTIL"));
    }

    @Test
    void a_cooldown_and_a_maintenance_are_told_apart() {
        bench.alice("locks", "acquire", "x", "--execution", "exec-1", "--cooldown", "5m");
        bench.alice("locks", "release", "x", "--token", "1");
        assertThat(bench.bob("why", "x").out())
                .contains("cooldown     blocks   Closed after execution exec-1 ended.", "2026-11-16T12:05:00Z (in 5m)");
        bench.alice("locks", "hold", "y", "--until", "1h", "--reason", "disk", "--ticket", "T-1");
        assertThat(bench.bob("why", "y", "-o", "json").out()).isEqualTo("""
                {
                  "target": "y",
                  "blocked": true,
                  "rules": [
                    {
                      "rule": "holder",
                      "blocks": false,
                      "evidence": "No execution holds it.",
                      "until": null
                    },
                    {
                      "rule": "maintenance",
                      "blocks": true,
                      "evidence": "Held by alice (token 1): disk [T-1].",
                      "until": "2026-11-16T13:00:00Z"
                    },
                    {
                      "rule": "cooldown",
                      "blocks": false,
                      "evidence": "No cooldown or lock-delay is running.",
                      "until": null
                    },
                    {
                      "rule": "queue",
                      "blocks": false,
                      "evidence": "Nobody waits for it.",
                      "until": null
                    }
                  ],
                  "queue": []
                }
                """);
    }

    @Test
    void an_expired_or_forced_holder_is_told_as_such() {
        bench.alice("locks", "acquire", "x", "--execution", "exec-1", "--ttl", "1m");
        bench.bob("locks", "release", "x", "--force", "--reason", "gone");
        assertThat(bench.bob("why", "x").out())
                .contains("holder       blocks   Being released by execution exec-1 (alice on alice-pc, token 1).");
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.bob("why", "x").out()).startsWith("'x' is free");
        bench.alice("locks", "acquire", "y", "--execution", "exec-2", "--ttl", "1m");
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.bob("why", "y").out())
                .contains(
                        "holder       ok       The lease of execution exec-2 (alice on alice-pc, token 1) has run out.");
    }

    @Test
    void the_queue_is_shown_with_positions_and_tickets() {
        bench.alice("locks", "acquire", "x", "--execution", "exec-1", "--ttl", "1h");
        Lease lease = new Lease(new UUID(1, 2), "bob-pc:1:aa", "bob", Duration.ofHours(1));
        Holder holder = new Holder("exec-2", 3, "bob-pc:1:aa", "bob");
        bench.store().enter(new Ask(LockName.of("x"), holder, lease), Duration.ofMinutes(10), 5);
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.bob("why", "x").out())
                .contains("queue        blocks   1 waiting, first come first served.")
                .endsWith("""

                        POSITION  TICKET  WAITER         EXECUTION           WAITING  GIVES UP IN
                        1         1       bob on bob-pc  exec-2 (attempt 3)  1m       9m
                        """);
    }
}
