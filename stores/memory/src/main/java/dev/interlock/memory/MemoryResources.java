package dev.interlock.memory;

import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.ResourceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Resources in a {@link Ledger}. */
public final class MemoryResources implements ResourceStore {
    private final Ledger ledger;

    public MemoryResources(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public Registration register(
            LockName target, String lifecycle, Map<String, String> fields, @Nullable Duration timeToLive, String by) {
        return ledger.memory().step(now -> {
            Lifecycle declared = ledger.catalogue().lifecycles().get(lifecycle);
            Kept before = ledger.resources().get(target);
            if (declared == null) {
                return new Registration.UnknownLifecycle(
                        lifecycle, List.copyOf(ledger.catalogue().lifecycles().keySet()));
            }
            if (before != null) {
                return before.resource().lifecycle().name().equals(lifecycle)
                                && before.fields().equals(fields)
                        ? new Registration.Repeated(before)
                        : new Registration.Different(before);
            }
            Kept arriving = kept(target, Resource.born(declared), fields, timeToLive, now);
            List<String> name = declared.uniqueName(declared.initial(), fields);
            Kept namesake = name == null ? null : ledger.named(declared, name);
            if (namesake != null) {
                return new Registration.NameTaken(namesake);
            }
            ledger.resources().put(target, arriving);
            return new Registration.Registered(arriving);
        });
    }

    private static Kept kept(
            LockName target,
            Resource resource,
            Map<String, String> fields,
            @Nullable Duration timeToLive,
            Instant now) {
        return new Kept(target, resource, Map.copyOf(fields), timeToLive == null ? null : now.plus(timeToLive), now);
    }

    @Override
    public Optional<Kept> find(LockName target) {
        return ledger.memory()
                .step(now -> Optional.ofNullable(ledger.resources().get(target)));
    }

    @Override
    public Page<Kept> list(@Nullable String lifecycle, @Nullable String state, Page.Request page) {
        return ledger.memory().step(now -> {
            LockName after = page.after() == null ? null : LockName.of(page.after());
            List<Kept> rest = ledger.resources().values().stream()
                    .filter(kept -> after == null || kept.target().compareTo(after) > 0)
                    .filter(kept -> lifecycle == null
                            || lifecycle.equals(kept.resource().lifecycle().name()))
                    .filter(kept ->
                            state == null || state.equals(kept.resource().state()))
                    .limit(page.size() + 1L)
                    .toList();
            return rest.size() <= page.size()
                    ? new Page<>(rest, null)
                    : new Page<>(
                            rest.subList(0, page.size()),
                            rest.get(page.size() - 1).target().value());
        });
    }
}
