package dev.interlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A handler in the hands of a test: it works until it is let go, and remembers what was done to it. */
final class Hands implements Handler {
    private final Plant plant;
    final List<Work> begun = new CopyOnWriteArrayList<>();
    final List<Duration> interruptedAt = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<Void>> gates = new ArrayList<>();
    private final CompletableFuture<Void> stubborn = new CompletableFuture<>();
    private boolean ignores;

    Hands(Plant plant) {
        this.plant = plant;
    }

    /** Does not stop when it is told to, until it is given up. */
    Hands ignoringInterrupts() {
        ignores = true;
        return this;
    }

    void giveUp() {
        stubborn.complete(null);
        plant.rest();
    }

    @Override
    public void run(Work work) throws Exception {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        synchronized (this) {
            gates.add(gate);
            begun.add(work);
        }
        try {
            gate.get();
        } catch (InterruptedException e) {
            interruptedAt.add(plant.time.elapsed());
            if (ignores) {
                stubborn.join();
            }
            throw e;
        }
    }

    /** Lets the first that works come to its end. */
    void letGo() {
        CompletableFuture<Void> gate;
        synchronized (this) {
            gate = gates.removeFirst();
        }
        gate.complete(null);
        plant.rest();
    }
}
