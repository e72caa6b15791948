package dev.interlock.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where locks are kept. Every store passes the published contract ({@code interlock-store-contract}).
 *
 * <p>Outcomes are values; {@link StoreUnavailable} means that the store could not answer. Durations go in, never
 * instants: the store alone decides what has expired. Every verb may be repeated: a request whose answer was lost is
 * asked again and answered as the first time.
 */
public interface LockStore extends AutoCloseable {
    /**
     * Grants the lock if nobody holds or waits for it, taking over an expired one in the same step. The same holder
     * asking again gets its own lock back, renewed, with the same token.
     *
     * @throws LeaseEnded if the lease in the request has ended
     */
    Acquisition acquire(Ask ask);

    /** Grants all or none in one step. */
    SetAcquisition acquireAll(List<Ask> asks);

    /**
     * Grants the lock or gives a place in its queue, first come first served. The place falls with the lease. The same
     * holder asking again keeps its place.
     *
     * @param wait how long the place is kept
     * @param queueLimit how many may stand in the queue, this request among them
     */
    Entry enter(Ask ask, Duration wait, int queueLimit);

    /** Renews the lease under one lock, while token and holder match and the lease has not expired. */
    Renewal renew(Lock lock);

    /** Renews leases with all that hangs on them, in one step; one answer per lease, in order. */
    List<LeaseRenewal> renew(List<Lease> leases);

    /** Ends the holder's own grant and hands the lock to the head of the queue in the same step. */
    Release release(Lock lock);

    /**
     * The same without waiting for the answer.
     *
     * @param tasks starts whoever waits for it instead
     * @return what {@link #release} returns or throws; completed by a thread that others may depend on
     */
    default CompletableFuture<Release> releaseSoon(Lock lock, Ports.Tasks tasks) {
        CompletableFuture<Release> answer = new CompletableFuture<>();
        tasks.ask("interlock-release", () -> {
            try {
                answer.complete(release(lock));
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** Gives up whatever this holder has or waits for under this name, when it does not know which. */
    void withdraw(Ask ask);

    /** Ends a lease now, cleanly: frees everything that hangs on it. */
    void end(Lease lease);

    Forcing force(Force order);

    Optional<Lock> find(LockName name);

    /** In canonical order. */
    Page<Lock> list(LockFilter filter, Page.Request page);

    /** The head of the queue first. */
    List<Waiter> waiters(LockName name);

    /** Removes a waiter from the queue; false when it was not there. */
    boolean dropWaiter(LockName name, long ticket, String actor);

    /** The newest first. */
    Page<Past> history(LockName name, Page.Request page);

    /** Removes records unused for that long, without ever letting a token return; tells how many. */
    int prune(Duration unusedFor);

    /** Calls the listener when something may have been taken from this lease; a hint, never needed for correctness. */
    void onTaken(Runnable listener);

    @Override
    void close();
}
