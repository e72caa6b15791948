package dev.interlock.kubernetes;

import dev.interlock.core.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Does the same for many, a few at a time, since each of them is a request of its own. */
final class Parallel {
    private static final int AT_A_TIME = 8;

    private final Ports ports;

    Parallel(Ports ports) {
        this.ports = ports;
    }

    /** Returns when all are done; throws what the first failure was. */
    <T> void each(List<T> items, Consumer<T> work) {
        if (items.size() < 2) {
            items.forEach(work);
            return;
        }
        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int worker = 0; worker < Math.min(AT_A_TIME, items.size()); worker++) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            workers.add(done);
            ports.tasks().start("interlock-batch", () -> {
                try {
                    for (int at = next.getAndIncrement(); at < items.size(); at = next.getAndIncrement()) {
                        work.accept(items.get(at));
                    }
                    done.complete(null);
                } catch (RuntimeException | Error e) {
                    next.set(items.size());
                    done.completeExceptionally(e);
                }
            });
        }
        RuntimeException failure = null;
        for (CompletableFuture<Void> worker : workers) {
            try {
                worker.join();
            } catch (CompletionException e) {
                failure = e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
