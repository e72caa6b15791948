package dev.interlock.core.work;

import dev.interlock.core.Page;
import dev.interlock.core.execution.Execution;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Executions that failed for good and wait for a person. */
public interface DeadLetters {
    /** The longest dead first. */
    Page<Standing> list(Page.Request page);

    /** One of them; empty also for an execution that is not among them. */
    Optional<Standing> find(String execution);

    /**
     * Asks for the same again, through admission as any request, and takes the letter off. However often that is said,
     * one execution comes of it.
     */
    Requeued requeue(String execution, String by);

    /** Takes the letter off: nothing will be done about it. What it blocks stays blocked. */
    Discarded discard(String execution, String by, String reason);

    Backlog backlog();

    /**
     * How many there are.
     *
     * @param oldest since when the oldest of them is dead; null when there is none
     */
    record Backlog(long letters, @Nullable Instant oldest, Instant seenAt) {}

    /** The answer to {@link #requeue}. */
    sealed interface Requeued {
        String sentence();
    }

    /** The answer to {@link #discard}. */
    sealed interface Discarded {
        String sentence();
    }

    record Submitted(Execution execution) implements Requeued {
        @Override
        public String sentence() {
            return "Requeued as execution " + execution.id() + ".";
        }
    }

    /** That was done before. */
    record Repeated(Execution execution) implements Requeued {
        @Override
        public String sentence() {
            return "Requeued before, as execution " + execution.id() + ", which is "
                    + execution.phase().word() + ".";
        }
    }

    /** Admission refuses it; the letter stays. */
    record Refused(String sentence) implements Requeued {}

    record Gone(String execution) implements Discarded {
        @Override
        public String sentence() {
            return "Execution " + execution + " is no longer among the dead letters.";
        }
    }

    /** It is not among them. */
    record NotDead(String execution) implements Requeued, Discarded {
        @Override
        public String sentence() {
            return "Execution '" + execution + "' is not among the dead letters. See: interlock dead list";
        }
    }
}
