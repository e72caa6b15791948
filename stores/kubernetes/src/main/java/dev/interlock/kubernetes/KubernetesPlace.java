package dev.interlock.kubernetes;

import dev.interlock.core.Handover;
import dev.interlock.core.Place;
import dev.interlock.core.Standing;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A place in the queue, as the process sees it that waits there. */
record KubernetesPlace(CompletableFuture<Handover> handover, Supplier<Optional<Standing>> look, Runnable leaving)
        implements Place {
    @Override
    public Optional<Standing> standing() {
        return look.get();
    }

    @Override
    public void leave() {
        leaving.run();
    }
}
