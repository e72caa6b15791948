package dev.interlock.engine;

import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.janitor.Census;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.JanitorStore;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.janitor.Sight;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A store in which things lie about until somebody puts them right. */
final class Shelf implements JanitorStore {
    static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

    final List<Finding> lying = new CopyOnWriteArrayList<>();
    final List<Finding> hidden = new CopyOnWriteArrayList<>();
    final List<Finding> stuck = new CopyOnWriteArrayList<>();
    final List<String> statements = new CopyOnWriteArrayList<>();
    Census census = new Census(NOON, NOON.minus(Duration.ofDays(1)), null, 0, 0, null, Duration.ofSeconds(30));
    StoreUnavailable away;
    StoreUnavailable blind;

    @Override
    public Sight look(Patience patience, int most) {
        statements.add("look");
        answer();
        return new Sight(lying.stream().limit(most).toList(), census);
    }

    @Override
    public List<Finding> inspect(Patience patience, Duration back, int most) {
        statements.add("inspect " + back);
        if (blind != null) {
            throw blind;
        }
        return List.copyOf(hidden);
    }

    @Override
    public Deed act(Finding finding, Patience patience) {
        statements.add("act");
        answer();
        if (stuck.contains(finding)) {
            throw new IllegalStateException("this row makes no sense");
        }
        boolean there = lying.remove(finding) || hidden.remove(finding);
        return there ? new Deed.Done(finding, "") : new Deed.Moot(finding);
    }

    private void answer() {
        if (away != null) {
            throw away;
        }
    }
}
