package dev.interlock.engine;

import dev.interlock.core.janitor.Brake;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import java.util.List;

/**
 * What one round of the janitor came to.
 *
 * @param heldBack what is not judged yet
 * @param running how many attempts run
 */
public record Sweep(List<Deed> deeds, List<Finding> heldBack, Brake brake, int running) {
    public Sweep {
        deeds = List.copyOf(deeds);
        heldBack = List.copyOf(heldBack);
    }

    boolean isIdle() {
        return running == 0 && deeds.isEmpty() && heldBack.isEmpty();
    }
}
