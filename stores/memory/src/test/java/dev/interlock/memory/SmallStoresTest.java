package dev.interlock.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.LogStore.Printed;
import dev.interlock.core.work.LogStore.Stream;
import dev.interlock.core.work.ResourceStore.Kept;
import dev.interlock.core.work.ResourceStore.Registration;
import dev.interlock.core.work.WorkerStore;
import dev.interlock.core.workflow.Workflow;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SmallStoresTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LockName BLUE = LockName.of("clusters/blue");
    private static final LockName GREEN = LockName.of("clusters/green");

    private final HandClock clock = new HandClock();
    private final Ledger ledger = new Ledger(new Memory(clock));
    private final MemoryResources resources = new MemoryResources(ledger);
    private final MemoryWorkers workers = new MemoryWorkers(ledger);
    private final MemoryLogs logs = new MemoryLogs(ledger);
    private long printedBytes;
    private final Lease lease = new Lease(UUID.randomUUID(), "ada-host:1:abc", "ada", LEASE);

    @Test
    void a_resource_is_registered_once() {
        declareClusters();

        Registration first = resources.register(BLUE, "cluster", Map.of("name", "blue"), LEASE, "alice");

        Kept kept = ((Registration.Registered) first).resource();
        assertThat(kept.expiresAt()).isEqualTo(clock.get().plus(LEASE));
        assertThat(resources.register(BLUE, "cluster", Map.of("name", "blue"), LEASE, "alice"))
                .isEqualTo(new Registration.Repeated(kept));
        assertThat(resources.register(BLUE, "cluster", Map.of("name", "red"), LEASE, "alice"))
                .isEqualTo(new Registration.Different(kept));
        assertThat(resources.register(GREEN, "cluster", Map.of("name", "blue"), null, "alice"))
                .isEqualTo(new Registration.NameTaken(kept));
        assertThat(resources.register(GREEN, "server", Map.of(), null, "alice"))
                .isEqualTo(new Registration.UnknownLifecycle("server", List.of("cluster")));
        assertThat(resources.list("cluster", "PENDING", Page.Request.FIRST).items())
                .containsExactly(kept);
        assertThat(resources.list(null, "READY", Page.Request.FIRST).items()).isEmpty();
    }

    @Test
    void a_worker_is_there_while_its_lease_is() {
        workers.present(lease, 4, Set.of("deploy"), "1.0");
        assertThat(workers.workers())
                .containsExactly(
                        new WorkerStore.Worker("ada-host:1:abc", 4, Set.of("deploy"), "1.0", clock.get(), false, 0));

        clock.move(LEASE);

        assertThat(workers.workers()).isEmpty();
    }

    @Test
    void a_worker_that_leaves_can_come_back() {
        workers.present(lease, 4, Set.of("deploy"), "1.0");

        assertThat(workers.drain(lease.owner(), "bob")).isTrue();
        assertThat(workers.drain("nobody", "bob")).isFalse();
        assertThat(workers.isDrained(lease.owner())).isTrue();

        workers.leave(lease.owner());
        assertThat(workers.isDrained(lease.owner())).isFalse();
        assertThat(workers.workers()).isEmpty();
    }

    @Test
    void of_a_long_log_the_beginning_and_the_end_are_kept_and_the_gap_shows() {
        Claimed claimed = running();
        append(claimed, "first");
        for (int piece = 0; piece < 40; piece++) {
            append(claimed, "x".repeat(LogStore.MAX_BYTES / 32));
        }
        append(claimed, "last");

        List<LogStore.Piece> pieces = logs.read(claimed.execution().id(), 1, 0, 1000);

        assertThat(text(pieces.getFirst())).isEqualTo("first");
        assertThat(text(pieces.getLast())).isEqualTo("last");
        assertThat(pieces.getLast().number()).isEqualTo(42);
        assertThat(pieces.size()).isLessThan(42);
        assertThat(pieces.stream().mapToInt(piece -> piece.bytes().remaining()).sum())
                .isLessThanOrEqualTo(LogStore.MAX_BYTES);
        assertThat(logs.read(claimed.execution().id(), 1, 41, 1000)).hasSize(1);
    }

    @Test
    void what_an_attempt_says_after_its_end_is_dropped() {
        Claimed claimed = running();
        String id = claimed.execution().id();
        new MemoryExecutionStore(ledger).finish(List.of(Finish.of(claimed, new Finish.Outcome.Completed(0))));

        append(claimed, "too late");

        assertThat(logs.read(id, 1, 0, 10)).isEmpty();
    }

    private void append(Claimed claimed, String text) {
        logs.append(
                claimed.execution().id(),
                1,
                claimed.token(),
                printedBytes,
                List.of(new Printed(Stream.OUT, ByteBuffer.wrap(text.getBytes(UTF_8)))));
        printedBytes += text.getBytes(UTF_8).length;
    }

    private static String text(LogStore.Piece piece) {
        return UTF_8.decode(piece.bytes().duplicate()).toString();
    }

    private Claimed running() {
        Workflow deploy = Workflow.plain("deploy");
        new MemoryCatalogue(ledger).publish(new Catalogue(Map.of("deploy", deploy), Map.of()), "alice");
        MemoryExecutionStore executions = new MemoryExecutionStore(ledger);
        executions.submit(List.of(Request.of("deploy", "db", Map.of(), "alice")));
        Claimant ada = new Claimant(new Identity(lease.owner(), "ada"), Map.of(LEASE, lease), Set.of("deploy"));
        return executions.claim(ada, 1).started().getFirst();
    }

    private void declareClusters() {
        Step create = new Step(
                word("CREATE"),
                List.of(word("PENDING"), word("FAILED")),
                word("CREATING"),
                word("READY"),
                word("FAILED"),
                Workflow.plain("CREATE"));
        Declaration declaration = new Declaration(
                word("cluster"),
                List.of(word("PENDING"), word("CREATING"), word("READY"), word("FAILED")),
                word("PENDING"),
                List.of(create),
                new Declaration.Unique(List.of(word("name")), List.of(word("READY")), 0));
        new MemoryCatalogue(ledger)
                .publish(new Catalogue(Map.of(), Map.of("cluster", new Lifecycle(declaration))), "alice");
    }

    private static Word word(String text) {
        return new Word(text, 0);
    }
}
