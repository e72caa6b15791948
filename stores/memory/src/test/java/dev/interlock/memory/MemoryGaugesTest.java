package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Gauges.Level;
import dev.interlock.core.work.Gauges.Levels;
import dev.interlock.core.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryGaugesTest {
    private static final Instant START = Instant.parse("2026-11-16T14:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualPorts time = new ManualPorts(7);
    private final Ledger ledger = new Ledger(new Memory(() -> START.plus(time.elapsed())));
    private final MemoryExecutionStore executions = new MemoryExecutionStore(ledger);

    @Test
    void what_waits_runs_and_is_left_behind_is_counted_with_its_oldest() {
        Catalogue declared = new Catalogue(Map.of("deploy", Workflow.plain("deploy")), Map.of());
        new MemoryCatalogue(ledger).publish(declared, "the test");
        Lease lease = new Lease(time.ports().randomId(), "alice-host:1:abc", "alice", LEASE);
        submit("a");
        executions.claim(
                new Claimant(new Identity(lease.owner(), lease.user()), Map.of(LEASE, lease), Set.of("deploy")), 1);
        time.advance(Duration.ofSeconds(10));
        submit("a");
        submit("b");

        time.advance(Duration.ofSeconds(30));

        Level two = new Level(2, START.plusSeconds(10));
        Level one = new Level(1, START.plusSeconds(10));
        assertThat(new MemoryGauges(ledger).levels())
                .isEqualTo(new Levels(
                        START.plusSeconds(40),
                        two,
                        one,
                        Level.NONE,
                        new Level(1, START.plus(LEASE)),
                        Map.of("deploy", new Level(1, START))));
    }

    private void submit(String target) {
        executions.submit(List.of(Request.of("deploy", target, Map.of(), "bob")));
    }
}
