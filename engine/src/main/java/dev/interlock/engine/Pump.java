package dev.interlock.engine;

import dev.interlock.core.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Brings what attempts print and say to the store, in the background, a moment after it was said. */
final class Pump {
    private static final Duration MOMENT = Duration.ofMillis(200);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final Ports.Timers timers;
    private final Lane lane;
    private final ReentrantLock guard = new ReentrantLock();
    private final Set<Output> waiting = new LinkedHashSet<>();
    private boolean scheduled;

    Pump(Ports ports) {
        this.timers = ports.timers();
        this.lane = new Lane("interlock-logs", ports.tasks(), this::round);
    }

    void add(Output output) {
        add(List.of(output), MOMENT);
    }

    private void add(List<Output> outputs, Duration delay) {
        guard.lock();
        try {
            waiting.addAll(outputs);
            if (scheduled || waiting.isEmpty()) {
                return;
            }
            scheduled = true;
        } finally {
            guard.unlock();
        }
        timers.after(delay, lane::wake);
    }

    private void round() {
        List<Output> outputs;
        guard.lock();
        try {
            outputs = List.copyOf(waiting);
            waiting.clear();
            scheduled = false;
        } finally {
            guard.unlock();
        }
        List<Output> failed = new ArrayList<>();
        for (Output output : outputs) {
            if (!output.send()) {
                failed.add(output);
            }
        }
        add(failed, AFTER_FAILURE);
    }
}
