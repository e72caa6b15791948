package dev.interlock.core.work;

import java.time.Duration;
import java.util.List;

/**
 * Wake-ups that were submitted with their executions, in the same transaction, for a transport outside of the store. A
 * wake-up is a hint: it may be sent twice, late or never, and the execution is claimed all the same.
 */
public interface Outbox {
    /**
     * One execution was submitted.
     *
     * @param number differs for every wake-up, also for two of one execution
     */
    record WakeUp(long number, String execution, String target) {}

    /**
     * From now on whatever is submitted leaves a wake-up. Said again by every relay while it lives.
     *
     * @param transport where they go, for people
     * @param lasting when nobody has said it again for so long, submitting leaves no wake-ups any more
     */
    void open(String transport, Duration lasting);

    /** From now on nothing that is submitted leaves a wake-up, until a relay opens it again; those left are forgotten. */
    void shut();

    /**
     * The oldest that nobody else has taken, for this caller to send. Those whose execution does not wait any more are
     * forgotten.
     *
     * @param lasting what was not said to be sent within that may be taken again, by anybody
     */
    List<WakeUp> take(int most, Duration lasting);

    void sent(List<WakeUp> wakeUps);
}
