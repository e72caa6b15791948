package dev.interlock.kubernetes;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Past;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.Waiter;
import dev.interlock.kubernetes.ServerClock.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A lock as it was read, and what the verbs make of it. Nothing here talks to anybody: the steps change this copy, and
 * whoever read it writes it back on condition that nobody else has meanwhile; else it is read and changed anew.
 */
final class LockRecord {
    /** In bytes, at most: a Lease has 256 KiB for its annotations. Beyond that a waiter is refused. */
    private static final int QUEUE_WEIGHT = 150_000;

    private static final int PAST_WEIGHT = 70_000;

    private static final int KEPT_OF_EACH_KIND = 30;

    private final LockName name;
    private final String uid;
    private final long version;
    private final Reading now;
    private final List<Waiting> queue;
    private final List<Gone> past;
    private @Nullable Tenure tenure;
    private @Nullable Instant closedUntil;
    private Instant lastUsed;
    private long numbered;
    private @Nullable UUID expired;
    private boolean changed;

    /**
     * @param uid which Lease it is: another one when somebody deletes it and it comes back; empty when there is none
     * @param version the resourceVersion that the next write replaces; zero when there is no Lease yet
     */
    LockRecord(LockName name, String uid, long version, Content content, Reading now) {
        this.name = name;
        this.uid = uid;
        this.version = version;
        this.now = now;
        this.tenure = content.tenure();
        this.closedUntil = content.closedUntil();
        this.lastUsed = content.lastUsed();
        this.numbered = content.numbered();
        this.queue = new ArrayList<>(content.queue());
        this.past = new ArrayList<>(content.past());
    }

    static Content blank(Instant now) {
        return new Content(Content.FORMAT, null, null, now, 0, List.of(), List.of());
    }

    Content content() {
        return new Content(Content.FORMAT, tenure, closedUntil, lastUsed, numbered, List.copyOf(queue), remembered());
    }

    /** The newest of each kind, so that refusals cannot push out how the last tenures ended. */
    private List<Gone> remembered() {
        List<Gone> kept = new ArrayList<>();
        int tenures = 0;
        int notes = 0;
        int weight = 0;
        for (Gone gone : past.reversed()) {
            weight += weight(gone.holder());
            if ((gone.isTenure() ? tenures++ : notes++) < KEPT_OF_EACH_KIND && weight < PAST_WEIGHT) {
                kept.addFirst(gone);
            }
        }
        return kept;
    }

    /** The same, as the version that it has become. */
    LockRecord written(String asUid, long asVersion) {
        return new LockRecord(name, asUid, asVersion, content(), now);
    }

    LockName name() {
        return name;
    }

    String uid() {
        return uid;
    }

    long version() {
        return version;
    }

    /** The lease that was found to have run out by this look; null when none was. */
    @Nullable UUID expired() {
        return expired;
    }

    Reading now() {
        return now;
    }

    boolean isChanged() {
        return changed;
    }

    @Nullable Tenure tenure() {
        return tenure;
    }

    List<Waiting> queue() {
        return queue;
    }

    Optional<Instant> closing() {
        return Optional.ofNullable(closedUntil);
    }

    private Instant stamp() {
        return now.latest();
    }

    boolean isHeld() {
        return tenure != null && tenure.isCurrent();
    }

    /** A holder that was told to stop does not get its grant back by asking again. */
    private @Nullable Tenure heldBy(Holder holder) {
        return tenure != null && tenure.isCurrent() && tenure.forced() == null && tenure.isOf(holder) ? tenure : null;
    }

    boolean isHeldBy(Holder holder) {
        return heldBy(holder) != null;
    }

    private boolean isClosed() {
        return closedUntil != null && !now.isPast(closedUntil);
    }

    // What time has done since the record was written. It is the same for whoever looks, and is written with whatever
    // is written next.

    /** @param unchangedFor for how long this process has seen the holder's fields stand still */
    void settle(Duration unchangedFor) {
        Tenure held = tenure;
        if (held != null && held.isCurrent()) {
            boolean still = unchangedFor.compareTo(held.duration()) >= 0;
            boolean late = !held.foreign() && now.isOver(held.leaseEnd(), held.duration());
            if (still || late) {
                Instant at = held.expiresAt().isBefore(stamp()) ? held.expiresAt() : stamp();
                end(held, Past.Event.EXPIRED, at, true);
                expired = held.foreign() ? null : held.lease();
            } else if (held.limit() != null && now.isPast(held.limit())) {
                end(held, held.forced() == null ? Past.Event.HELD_TOO_LONG : Past.Event.EXPIRED, held.limit(), false);
            }
        }
        queue.removeIf(waiting ->
                now.isOver(waiting.leaseEnd(), waiting.duration()) || now.isOver(waiting.until(), waiting.duration()));
    }

    /** Ends the tenure; the lock stays closed for its cooldown if it ended cleanly, else for its lock-delay. */
    private void end(Tenure held, Past.Event how, Instant at, boolean leaseOver) {
        past.add(Gone.tenure(++numbered, held, how, at, leaseOver));
        tenure = held.ended(how);
        lastUsed = at;
        Duration closed = how == Past.Event.RELEASED
                ? held.terms().cooldown()
                : held.terms().lockDelay();
        closedUntil = closed.isZero() ? null : at.plus(closed);
    }

    // Programs that know nothing of Interlock write the fields of the Lease and leave its annotation alone.

    /** Somebody else took the Lease, as it may when the lease under our own grant has run out. */
    void takenByForeigner(Tenure foreigner) {
        if (tenure != null && tenure.isCurrent()) {
            end(tenure, Past.Event.EXPIRED, stamp(), true);
        }
        tenure = foreigner;
        closedUntil = null;
    }

    void renewedByForeigner(Tenure foreigner) {
        tenure = foreigner;
    }

    void releasedByForeigner(Tenure foreigner) {
        end(foreigner, Past.Event.RELEASED, stamp(), false);
    }

    /** Somebody emptied the field by hand. The holder does not know yet, so the lock is given the time to stop. */
    void clearedByHand(Tenure held) {
        tenure = held.forcedBy(new Lock.Forced("somebody", "the Lease's holderIdentity was cleared by hand"));
    }

    /** Above every token of this name: the server counts its versions up for ever, also across a deletion. */
    long nextToken() {
        return Math.max(version, tenure == null ? 1 : tenure.token() + 1);
    }

    // The verbs.

    void handOver() {
        if (isHeld() || isClosed() || queue.isEmpty()) {
            return;
        }
        Waiting head = queue.removeFirst();
        tenure = Tenure.begin(nextToken(), head.ask(name), head.identity(), head.ticket(), head.times(), stamp());
        closedUntil = null;
        changed = true;
    }

    void requireAlive(Lease lease) {
        if (ending(lease) != null) {
            throw new LeaseEnded(lease);
        }
    }

    /** What stands in the way; null when nothing does. Nobody passes those who wait. */
    @Nullable Acquisition obstacle(Ask ask) {
        if (heldBy(ask.holder()) != null) {
            return null;
        }
        if (isHeld() || (tenure != null && !queue.isEmpty())) {
            return new Acquisition.Held(view());
        }
        return isClosed() && closedUntil != null ? new Acquisition.Cooling(view(), closedUntil) : null;
    }

    Acquisition acquire(Ask ask, String identity, LeaseTimes times) {
        requireAlive(ask.lease());
        Acquisition obstacle = obstacle(ask);
        if (obstacle != null) {
            refuse(ask.holder());
            return obstacle;
        }
        return new Acquisition.Granted(take(ask, identity, times));
    }

    private Lock take(Ask ask, String identity, LeaseTimes times) {
        Tenure own = heldBy(ask.holder());
        tenure = own == null
                ? Tenure.begin(nextToken(), ask, identity, 0, times, stamp())
                : own.renewed(
                        ask.lease().id(),
                        ask.lease().duration(),
                        LeaseTimes.from(stamp(), ask.lease().duration()));
        closedUntil = null;
        changed = true;
        return view();
    }

    void refuse(Holder holder) {
        if (tenure != null) {
            past.add(Gone.note(++numbered, Past.Event.REFUSED, tenure.token(), holder, null, stamp()));
            changed = true;
        }
    }

    /** A place in the queue, or what makes one needless or impossible. */
    sealed interface Entering {
        record Answered(Entry entry) implements Entering {}

        record Queued(Waiting waiting, Lock current, int position) implements Entering {}
    }

    Entering enter(Ask ask, String identity, LeaseTimes times, Duration wait, int queueLimit) {
        requireAlive(ask.lease());
        if (obstacle(ask) == null) {
            return new Entering.Answered(new Acquisition.Granted(take(ask, identity, times)));
        }
        Waiting before = waiting(ask.holder());
        int limit = isHeavy() ? Math.min(queueLimit, queue.size()) : queueLimit;
        if (before == null && queue.size() >= limit) {
            refuse(ask.holder());
            return new Entering.Answered(new Entry.QueueFull(view(), limit));
        }
        long ticket = before == null ? ++numbered : before.ticket();
        Instant since = before == null ? stamp() : before.since();
        Waiting waiting = Waiting.of(ticket, ask, identity, since, stamp().plus(wait), times);
        if (before == null) {
            queue.add(waiting);
        } else {
            queue.set(queue.indexOf(before), waiting);
        }
        changed = true;
        return new Entering.Queued(waiting, view(), queue.indexOf(waiting) + 1);
    }

    private boolean isHeavy() {
        return queue.stream()
                        .mapToInt(waiting -> weight(waiting.holder())
                                + 3 * waiting.identity().length())
                        .sum()
                > QUEUE_WEIGHT;
    }

    private static int weight(Holder holder) {
        return 600
                + 3
                        * (holder.execution().length()
                                + holder.owner().length()
                                + holder.user().length());
    }

    private @Nullable Waiting waiting(Holder holder) {
        return queue.stream()
                .filter(waiting -> Tenure.same(waiting.holder(), holder))
                .findFirst()
                .orElse(null);
    }

    Renewal renew(Lock lock) {
        Tenure held = heldBy(lock.holder());
        if (held == null || held.token() != lock.token()) {
            return lost(lock);
        }
        tenure = held.renewed(held.lease(), held.duration(), LeaseTimes.from(stamp(), held.duration()));
        changed = true;
        return new Renewal.Renewed(view());
    }

    /** Carries everything of a lease on, here; the tokens that have it no longer are not touched. */
    void renew(Lease lease, LeaseTimes times) {
        Tenure held = tenure;
        if (held != null && held.isCurrent() && held.lease().equals(lease.id())) {
            // A forced grant is renewed too: its own limit ends it, and its holder is told with every renewal.
            tenure = held.renewed(held.lease(), held.duration(), times);
            changed = true;
        }
        for (int at = 0; at < queue.size(); at++) {
            if (queue.get(at).lease().equals(lease.id())) {
                queue.set(at, queue.get(at).renewed(times));
                changed = true;
            }
        }
    }

    /** Why this grant is not to be relied on any more; null while it is. */
    @Nullable Loss loss(long token) {
        Tenure held = tenure;
        if (held != null && held.isCurrent() && held.token() == token) {
            Lock.Forced forced = held.forced();
            return forced == null ? null : new Loss.ForcedBy(forced.actor(), forced.reason());
        }
        return past.stream()
                .filter(gone -> gone.isTenure() && gone.token() == token)
                .findFirst()
                .map(gone -> gone.loss(latestToken()))
                .orElse(held == null || held.token() < token ? Loss.Cause.FORGOTTEN : Loss.Cause.SUPERSEDED);
    }

    /** How this lease ended, by what is written here; null when nothing says that it has. */
    @Nullable Loss ending(Lease lease) {
        return past.stream()
                .filter(gone -> gone.leaseOver() && lease.id().equals(gone.lease()))
                .findFirst()
                .<Loss>map(
                        gone -> gone.ending() == Past.Event.RELEASED ? Loss.Cause.ALREADY_RELEASED : Loss.Cause.EXPIRED)
                .orElse(null);
    }

    private long latestToken() {
        return tenure == null ? 0 : tenure.token();
    }

    Release release(Lock lock) {
        Tenure held = tenure;
        if (held != null && held.isCurrent() && held.token() == lock.token() && held.isOf(lock.holder())) {
            end(held, Past.Event.RELEASED, stamp(), false);
            changed = true;
            handOver();
        }
        Gone gone = tenureOf(lock);
        return gone != null && gone.ending() == Past.Event.RELEASED ? new Release.Released() : lost(lock);
    }

    /** Gives a grant back as if it had never been: of a set that could not be had as a whole. */
    void undo(Lock lock) {
        Tenure held = heldBy(lock.holder());
        if (held != null && held.token() == lock.token()) {
            end(held, Past.Event.RELEASED, stamp(), false);
            closedUntil = null;
            changed = true;
            handOver();
        }
    }

    private @Nullable Gone tenureOf(Lock lock) {
        return past.stream()
                .filter(gone ->
                        gone.isTenure() && gone.token() == lock.token() && Tenure.same(gone.holder(), lock.holder()))
                .findFirst()
                .orElse(null);
    }

    private Lost lost(Lock lock) {
        Tenure held = tenure;
        Lock current = held == null ? null : view();
        if (held != null && held.isCurrent() && held.token() == lock.token() && held.isOf(lock.holder())) {
            Loss forced = loss(lock.token());
            return new Lost(forced == null ? Loss.Cause.FORGOTTEN : forced, current);
        }
        Gone gone = tenureOf(lock);
        if (gone != null) {
            return new Lost(gone.loss(latestToken()), current);
        }
        boolean newer = held != null && held.token() > lock.token();
        return new Lost(newer ? Loss.Cause.SUPERSEDED : Loss.Cause.FORGOTTEN, current);
    }

    void withdraw(Ask ask) {
        Waiting waiting = waiting(ask.holder());
        if (waiting != null) {
            queue.remove(waiting);
            changed = true;
        }
        Tenure held = heldBy(ask.holder());
        if (held != null) {
            end(held, Past.Event.RELEASED, stamp(), false);
            changed = true;
            handOver();
        }
    }

    /**
     * Frees what hangs on this lease, here: its places first, so that it is not handed what it gives up.
     *
     * @param how {@link Past.Event#RELEASED} when it was given up, {@link Past.Event#EXPIRED} when it ran out
     */
    void end(Lease lease, Past.Event how) {
        changed |= queue.removeIf(waiting -> waiting.lease().equals(lease.id()));
        Tenure held = tenure;
        if (held != null && held.isCurrent() && held.lease().equals(lease.id())) {
            end(held, how, stamp(), true);
            changed = true;
        }
        if (changed) {
            handOver();
        }
    }

    /** Writes down that a lease that ran out is over, so that it stays so whatever the clock shows later. */
    void confirmOver(UUID lease) {
        Tenure last = tenure;
        if (last != null && !last.isCurrent() && last.lease().equals(lease)) {
            changed = true;
            handOver();
        }
    }

    Forcing force(Force order) {
        Tenure held = tenure;
        if (held == null || !held.isCurrent()) {
            return new Forcing.Free();
        }
        Lock previous = view();
        if (held.token() != order.seenToken()) {
            return new Forcing.Moved(previous);
        }
        Lock.Forced by = new Lock.Forced(order.actor(), order.reason());
        Tenure told = held.forcedBy(by);
        tenure = told;
        past.add(Gone.note(++numbered, Past.Event.FORCE_ORDERED, held.token(), held.holder(), by, stamp()));
        changed = true;
        if (!order.now()) {
            return new Forcing.Releasing(previous, told.expiresAt());
        }
        end(told, Past.Event.FORCED, stamp(), false);
        handOver();
        return new Forcing.Released(previous);
    }

    boolean drop(long ticket) {
        boolean dropped = queue.removeIf(waiting -> waiting.ticket() == ticket);
        changed |= dropped;
        return dropped;
    }

    // Looking.

    Lock view() {
        Tenure latest = tenure;
        if (latest == null) {
            throw new IllegalStateException("nobody has held " + name + " yet");
        }
        boolean closed = !isHeld() && isClosed();
        return new Lock(
                name,
                latest.token(),
                latest.status(),
                latest.grant(),
                queue.size(),
                closed ? closedUntil : null,
                stamp());
    }

    Optional<Lock> lock() {
        return tenure == null ? Optional.empty() : Optional.of(view());
    }

    List<Waiter> waiters() {
        List<Waiter> waiters = new ArrayList<>();
        for (Waiting waiting : queue) {
            waiters.add(new Waiter(
                    waiting.ticket(), waiters.size() + 1, waiting.holder(), waiting.since(), waiting.until()));
        }
        return waiters;
    }

    int position(long ticket) {
        for (int at = 0; at < queue.size(); at++) {
            if (queue.get(at).ticket() == ticket) {
                return at + 1;
            }
        }
        return 0;
    }

    List<Gone> newestFirst() {
        return past.stream()
                .sorted(Comparator.comparingLong(Gone::number).reversed())
                .toList();
    }

    boolean isIdleSince(Instant since) {
        return !isHeld() && queue.isEmpty() && !isClosed() && !lastUsed.isAfter(since);
    }
}
