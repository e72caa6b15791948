package dev.interlock.memory;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Case;
import dev.interlock.core.admission.History;
import dev.interlock.core.admission.Situation;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.ResourceStore.Kept;
import dev.interlock.core.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What the processes that share a memory have in common beside their locks: executions and what they go by. Everything
 * in it is touched only within a step of the {@link Memory}, so that a verb is one transaction with the locks.
 */
public final class Ledger {
    private final Memory memory;
    private final Map<String, ExecutionRecord> executions = new LinkedHashMap<>();
    private final Map<String, List<ExecutionRecord>> targets = new HashMap<>();
    private final NavigableSet<ExecutionRecord> pending = new TreeSet<>(ExecutionRecord.CLAIM_ORDER);
    private final NavigableMap<LockName, Kept> resources = new TreeMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Set<Finding> told = new HashSet<>();
    private Catalogue catalogue = Catalogue.EMPTY;
    private long numbers;

    public Ledger(Memory memory) {
        this.memory = memory;
    }

    public Memory memory() {
        return memory;
    }

    /** Ids sort as they were given, so that requests of one instant keep their order. */
    String nextId() {
        return "exec-%012d".formatted(++numbers);
    }

    void add(ExecutionRecord record) {
        executions.put(record.id(), record);
        targets.computeIfAbsent(record.target(), target -> new ArrayList<>()).add(record);
        if (record.isOpen()) {
            pending.add(record);
            tellWorkers();
        }
    }

    @Nullable ExecutionRecord record(String execution) {
        return executions.get(execution);
    }

    Iterable<ExecutionRecord> records() {
        return executions.values();
    }

    List<ExecutionRecord> of(String target) {
        return targets.getOrDefault(target, List.of());
    }

    NavigableSet<ExecutionRecord> pending() {
        return pending;
    }

    Catalogue catalogue() {
        return catalogue;
    }

    void publish(Catalogue declared) {
        Map<String, Workflow> workflows = new HashMap<>(catalogue.workflows());
        Map<String, Lifecycle> lifecycles = new HashMap<>(catalogue.lifecycles());
        workflows.putAll(declared.workflows());
        lifecycles.putAll(declared.lifecycles());
        catalogue = new Catalogue(workflows, lifecycles);
        resources.replaceAll((name, kept) -> kept(kept, asDeclared(kept.resource())));
    }

    /** A resource goes by the lifecycle as it is declared now. */
    private Resource asDeclared(Resource resource) {
        return new Resource(
                catalogue.lifecycles().getOrDefault(resource.lifecycle().name(), resource.lifecycle()),
                resource.state(),
                resource.under());
    }

    NavigableMap<LockName, Kept> resources() {
        return resources;
    }

    @Nullable Resource resource(String target) {
        Kept kept = kept(target);
        return kept == null ? null : kept.resource();
    }

    private @Nullable Kept kept(String target) {
        return LockName.faultOf("A target", target) == null ? resources.get(LockName.of(target)) : null;
    }

    void change(String target, Resource.Change change) {
        if (change instanceof Resource.Change.Changed(Resource changed)) {
            resources.computeIfPresent(LockName.of(target), (name, kept) -> kept(kept, changed));
        }
    }

    private static Kept kept(Kept before, Resource resource) {
        return new Kept(before.target(), resource, before.fields(), before.expiresAt(), before.registeredAt());
    }

    /** Everything that admission goes by for this candidate, at this instant. */
    Case examine(Candidate candidate, Instant now) {
        List<Execution> all = of(candidate.request().target()).stream()
                .map(ExecutionRecord::execution)
                .toList();
        List<Situation.Open> open = all.stream()
                .filter(execution -> execution.ending() == null)
                .map(Situation.Open::of)
                .toList();
        String target = candidate.request().target();
        Situation situation = new Situation(lock(target, now), open, resource(target))
                .withNamesake(namesake(target, candidate.request().workflow()));
        return Case.of(candidate, History.of(all), situation, catalogue, now);
    }

    /** The resource that has the name which this one would take by beginning the workflow. */
    private @Nullable String namesake(String target, String workflow) {
        Kept kept = kept(target);
        List<String> name = kept == null ? null : kept.resource().nameTakenBy(workflow, kept.fields());
        Kept other = kept == null || name == null ? null : named(kept.resource().lifecycle(), name);
        return other == null ? null : other.target().value();
    }

    /** The resource of that lifecycle that has the name now. */
    @Nullable Kept named(Lifecycle lifecycle, List<String> name) {
        return resources.values().stream()
                .filter(other -> other.resource().lifecycle().name().equals(lifecycle.name())
                        && name.equals(lifecycle.uniqueName(other.resource().state(), other.fields())))
                .findFirst()
                .orElse(null);
    }

    private @Nullable Lock lock(String target, Instant now) {
        return LockName.faultOf("A target", target) == null
                ? memory.lock(LockName.of(target))
                        .map(record -> memory.view(record, now))
                        .orElse(null)
                : null;
    }

    /** When the grant under which an attempt runs was or will be over; null when the lock knows nothing of it. */
    @Nullable Instant overAt(Claimed claimed) {
        return memory.lock(claimed.lock().name())
                .flatMap(lock -> lock.tenure(claimed.token(), claimed.lock().holder()))
                .map(Tenure::overAt)
                .orElse(null);
    }

    boolean isTold(Finding finding) {
        return told.contains(finding);
    }

    /** Somebody is told of it once. */
    void tell(Finding finding) {
        told.add(finding);
    }

    void listen(Runnable listener) {
        listeners.add(listener);
    }

    void tellWorkers() {
        listeners.forEach(memory::afterwards);
    }
}
