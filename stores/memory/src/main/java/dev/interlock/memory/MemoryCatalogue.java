package dev.interlock.memory;

import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.work.CatalogueStore;
import dev.interlock.core.work.ResourceStore.Kept;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Declarations in a {@link Ledger}. */
public final class MemoryCatalogue implements CatalogueStore {
    private final Ledger ledger;

    public MemoryCatalogue(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public Publication publish(Catalogue declared, String by) {
        return ledger.memory().step(now -> {
            Publication refusal = refusal(declared);
            if (refusal != null) {
                return refusal;
            }
            List<String> changes = changes(ledger.catalogue(), declared);
            ledger.publish(declared);
            return new Publication.Published(changes);
        });
    }

    /** Nobody may be left in a state that would not be there any more. */
    private @Nullable Publication refusal(Catalogue declared) {
        for (Kept kept : ledger.resources().values()) {
            Lifecycle next =
                    declared.lifecycles().get(kept.resource().lifecycle().name());
            String state = kept.resource().state();
            if (next != null
                    && next.declaration().states().stream()
                            .noneMatch(known -> known.text().equals(state))) {
                return new Publication.Stranding(
                        next.name(), state, kept.target().value());
            }
        }
        return null;
    }

    private static List<String> changes(Catalogue before, Catalogue declared) {
        List<String> changes = new ArrayList<>();
        new TreeMap<>(declared.lifecycles()).forEach((name, lifecycle) -> {
            if (!lifecycle.equals(before.lifecycles().get(name))) {
                changes.add(change("lifecycle", name, before.lifecycles().containsKey(name)));
            }
        });
        new TreeMap<>(declared.workflows()).forEach((name, workflow) -> {
            if (!workflow.equals(before.workflows().get(name))) {
                changes.add(change("workflow", name, before.workflows().containsKey(name)));
            }
        });
        return changes;
    }

    private static String change(String what, String name, boolean wasThere) {
        return (wasThere ? "Changed " : "Declared ") + what + " '" + name + "'.";
    }

    @Override
    public Catalogue catalogue() {
        return ledger.memory().step(now -> ledger.catalogue());
    }
}
