package dev.interlock.sqs;

import dev.interlock.core.work.WakeUps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * Wakes whoever claims when a message comes, and deletes the message at once. It was sent because its execution's row
 * was committed, so that there is nothing to keep it for: a target that is busy costs no second delivery, and a message
 * never stands in the way of the next of its group.
 */
final class SqsWakeUps implements WakeUps {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final BooleanSupplier closed;

    SqsWakeUps(BooleanSupplier closed) {
        this.closed = closed;
    }

    @Override
    public void onWork(Runnable listener) {
        listeners.add(listener);
    }

    void wake() {
        listeners.forEach(Runnable::run);
    }

    /** Waits for messages, at most for a long poll; answers how many came. */
    int tick(SqsQueue queue) {
        List<Message> messages = queue.receive();
        if (closed.getAsBoolean()) {
            queue.giveBack(messages);
        } else if (!messages.isEmpty()) {
            wake();
            queue.delete(messages);
        }
        return messages.size();
    }
}
