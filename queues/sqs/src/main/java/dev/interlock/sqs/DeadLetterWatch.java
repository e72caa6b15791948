package dev.interlock.sqs;

import dev.interlock.core.execution.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks after the dead-letter queue. A wake-up gets there when workers died three times between receiving and deleting
 * it, or may not delete. Once its execution's row was seen there is nothing to keep it for: if it still waits, whoever
 * claims is woken. What belongs to no execution is left for a person.
 */
final class DeadLetterWatch {
    private static final int MOST_LOOKS = 20;

    private final Function<String, Optional<Phase>> phaseOf;
    private final Runnable wake;

    DeadLetterWatch(Function<String, Optional<Phase>> phaseOf, Runnable wake) {
        this.phaseOf = phaseOf;
        this.wake = wake;
    }

    DeadLetters tick(SqsQueue queue) {
        List<Message> left = new ArrayList<>();
        try {
            for (int look = 0; look < MOST_LOOKS; look++) {
                List<Message> messages = queue.receive(Duration.ZERO);
                if (messages.isEmpty()) {
                    break;
                }
                left.addAll(settle(queue, messages));
            }
        } finally {
            giveBack(queue, left);
        }
        Duration oldest =
                left.stream().map(Message::age).max(Duration::compareTo).orElse(Duration.ZERO);
        return new DeadLetters(queue.name(), queue.count(), oldest);
    }

    /** Answers those that are of no execution. */
    private List<Message> settle(SqsQueue queue, List<Message> messages) {
        List<Message> known = new ArrayList<>();
        List<Message> unknown = new ArrayList<>();
        for (Message message : messages) {
            Optional<Phase> phase = phaseOf.apply(message.execution());
            (phase.isPresent() ? known : unknown).add(message);
            if (phase.equals(Optional.of(Phase.PENDING))) {
                wake.run();
            }
        }
        queue.delete(known);
        return unknown;
    }

    private static void giveBack(SqsQueue queue, List<Message> left) {
        for (int from = 0; from < left.size(); from += SqsQueue.BATCH) {
            queue.giveBack(left.subList(from, Math.min(left.size(), from + SqsQueue.BATCH)));
        }
    }
}
