package dev.interlock.cli;

import dev.interlock.core.Identity;
import dev.interlock.core.LockStore;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.WorkStores;
import dev.interlock.memory.Ledger;
import dev.interlock.memory.Memory;
import dev.interlock.memory.MemoryCatalogue;
import dev.interlock.memory.MemoryExecutionStore;
import dev.interlock.memory.MemoryGauges;
import dev.interlock.memory.MemoryLockStore;
import dev.interlock.memory.MemoryLogs;
import dev.interlock.memory.MemoryResources;
import dev.interlock.memory.MemoryWorkers;
import dev.interlock.supervise.Supervisor;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A shell with a store behind it: what is typed goes in, what came out is compared whole. Its clock stands still. */
final class Workbench implements Stores, Services {
    static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

    /** What a command left behind. */
    record Said(int code, String out, String err) {}

    private final Map<String, String> concealed = new HashMap<>();
    private volatile Instant now = NOON;
    private final Memory memory = new Memory(() -> now);
    private final Ledger ledger = new Ledger(memory);
    private final WorkStores work = new WorkStores(
            new MemoryLockStore(memory),
            new MemoryExecutionStore(ledger),
            new MemoryCatalogue(ledger),
            new MemoryResources(ledger),
            new MemoryWorkers(ledger),
            new MemoryLogs(ledger),
            null, // dead letters and janitor are asked for on PostgreSQL only
            null,
            new MemoryGauges(ledger),
            null); // nor has memory an outbox
    private RuntimeException trouble;
    private WorkerPlan plan;
    private boolean terminal;
    private AuditTrail trail;

    Said alice(String... words) {
        return as("alice", words);
    }

    Said bob(String... words) {
        return as("bob", words);
    }

    private Said as(String user, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings here = new Surroundings(
                this,
                this,
                new Terminal(stream(out), stream(err), terminal, terminal, terminal ? 80 : 0, true),
                () -> new Identity(user + "-pc:7:ab12", user),
                SystemPorts.create(),
                () -> now,
                beforeStart -> Supervisor.embedded());
        Outcome outcome = new Interlock(here).execute(words);
        return new Said(outcome.code(), out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    void pass(Duration time) {
        now = now.plus(time);
        memory.settle();
    }

    void breakStore(RuntimeException e) {
        trouble = e;
    }

    void conceal(String variable, String value) {
        concealed.put(variable, value);
    }

    void onTerminal() {
        terminal = true;
    }

    /** Everything that is kept about executions. */
    WorkStores work() {
        return work;
    }

    @Override
    public WorkStores work(String address, Consumer<String> notices) {
        return work();
    }

    /** How the last worker was to work. */
    WorkerPlan plan() {
        return plan;
    }

    @Override
    public int work(WorkStores stores, AuditTrail audit, WorkerPlan asked, Consumer<String> talk) {
        plan = asked;
        return 0;
    }

    @Override
    public void examineQueue(String address, Consumer<Finding> findings) {
        findings.accept(Finding.ok("queue", address + " is there"));
    }

    @Override
    public String createQueue(String address) {
        return "Created " + address + ".";
    }

    LockStore store() {
        return new MemoryLockStore(memory);
    }

    @Override
    public LockStore open(String address, Consumer<String> notices) {
        if (trouble != null) {
            throw trouble;
        }
        return store();
    }

    void keep(AuditTrail kept) {
        trail = kept;
    }

    @Override
    public AuditTrail audit(String address, Consumer<String> notices) {
        if (trail == null) {
            throw new UsageError("There is no trail.");
        }
        return trail;
    }

    @Override
    public String describe(String address) {
        return address == null ? "memory" : address;
    }

    @Override
    public void examine(String address, Consumer<Finding> findings) {
        findings.accept(Finding.ok("server", "in memory"));
        findings.accept(Finding.warn("durability", "nothing is kept", "Use a real store."));
    }

    @Override
    public Map<String, String> concealed() {
        return concealed;
    }

    @Override
    public StoreState state(String address) {
        return new StoreState(
                "running",
                "on this machine",
                "18.6",
                new StoreState.Local(
                        Path.of("/home"),
                        4242L,
                        5599L,
                        NOON.minusSeconds(90),
                        Path.of("/home/data"),
                        41_000_000L,
                        Path.of("/home/log")));
    }

    @Override
    public String stop(String address) {
        return "Stopped.";
    }

    @Override
    public String recover(String address, Consumer<String> notices) {
        return "Recovered.";
    }

    @Override
    public String upgrade(String address, Consumer<String> notices) {
        return "Up to date.";
    }

    @Override
    public String createTable(String address, boolean deletionProtection) {
        return deletionProtection ? "Created, protected." : "Created.";
    }
}
