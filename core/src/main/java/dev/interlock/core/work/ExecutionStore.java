package dev.interlock.core.work;

import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Case;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where executions are kept. Whatever a verb changes, it changes with its audit events in one transaction, by the
 * store's clock. Every verb may be repeated: a request whose answer was lost is asked again.
 */
public interface ExecutionStore extends AutoCloseable {
    /**
     * Accepts requests, one answer each, in their order. What is malformed, and what a rule refuses for good or at once,
     * is kept too, and has ended when this returns.
     */
    List<Submission> submit(List<Request> requests);

    /**
     * Takes executions that may start: for each, target's lock, admission, change of phase and of the resource's state
     * are one transaction. What admission refuses is parked, skipped or failed in it.
     *
     * @param most how many to take
     */
    Claims claim(Claimant claimant, int most);

    /**
     * How long until something that waits for its time may be due: a retry, the end of a cooldown. A hint, for those who
     * find nothing to claim, since nobody is told when time has passed; empty when nothing waits for any.
     */
    Optional<Duration> untilDue();

    /**
     * What runs on the claimant's leases: who of it is to be stopped, and what an earlier claim took whose answer was
     * lost.
     */
    List<Running> running(Claimant claimant);

    /**
     * Ends attempts: for each, phase, state of the resource, release of the lock and promotion of the next in line are one
     * transaction. Answers in order; a stale or illegal one changes nothing.
     */
    List<Transition> finish(List<Finish> finishes);

    /**
     * The same, for a worker that has room for more: what is next in line behind those that completed starts for it in the
     * transaction of the end. Only if nothing else that it offers is ahead in the order of claims, and only on a lease that
     * is alive; and what takes more of a decision than whether the target is free may be left to be claimed.
     *
     * @param most how many to start
     */
    Finished finish(List<Finish> finishes, Claimant claimant, int most);

    /** Pending ends at once; of what runs, whoever runs it is told to stop it and to confirm with a {@link Finish}. */
    Cancellation cancel(String execution, String by, String reason);

    /** What the running attempt says about itself, for people; dropped when the token is stale. */
    void report(String execution, long token, String progress);

    Optional<Standing> find(String execution);

    /** The newest first. */
    Page<Standing> list(ExecutionFilter filter, Page.Request page);

    /** Everything that admission would go by now. */
    Case examine(Candidate candidate);

    /** Takes the block of every uncleared failure of the target away, each once; answers those that it cleared. */
    List<Execution> clear(LockName target, String by, String reason);

    /** Calls the listener when there may be something to claim, and when something that runs is to be cancelled; hints. */
    void onWork(Runnable listener);

    /** Listens no more; the locks of the store stay open. */
    @Override
    void close();
}
