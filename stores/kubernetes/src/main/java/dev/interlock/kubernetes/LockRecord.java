package dev.interlock.kubernetes;

import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Past;
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
 * A lock as it was read, and what time has done to it since. Nothing here talks to anybody: {@link Grants} and {@link
 * Endings} change this copy, and whoever read it writes it back on condition that nobody else has meanwhile; else it is
 * read and changed anew.
 */
final class LockRecord {
    private final LockName name;
    private final String uid;
    private final long version;
    private final int room;
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
     * @param room how many bytes the Lease has for what is written back
     */
    LockRecord(LockName name, String uid, long version, int room, Content content, Reading now) {
        this.name = name;
        this.uid = uid;
        this.version = version;
        this.room = room;
        this.now = now;
        this.tenure = content.tenure();
        this.closedUntil = content.closedUntil();
        this.lastUsed = content.lastUsed();
        this.numbered = content.numbered();
        this.queue = new ArrayList<>(content.queue());
        this.past = new ArrayList<>(content.past());
    }

    Content content() {
        return new Content(Content.FORMAT, tenure, closedUntil, lastUsed, numbered, List.copyOf(queue), past)
                .abridged();
    }

    /** The same, as the version that it has become. */
    LockRecord written(String asUid, long asVersion) {
        return new LockRecord(name, asUid, asVersion, room, content(), now);
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

    int room() {
        return room;
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

    /** In order, to be changed as it is. */
    List<Waiting> queue() {
        return queue;
    }

    List<Gone> past() {
        return past;
    }

    Optional<Instant> closing() {
        return Optional.ofNullable(closedUntil);
    }

    /** What is written now is dated with this. */
    Instant stamp() {
        return now.latest();
    }

    boolean isHeld() {
        return tenure != null && tenure.isCurrent();
    }

    /** A holder that was told to stop does not get its grant back by asking again. */
    @Nullable Tenure heldBy(Holder holder) {
        return tenure != null && tenure.isCurrent() && tenure.forced() == null && tenure.isOf(holder) ? tenure : null;
    }

    boolean isHeldBy(Holder holder) {
        return heldBy(holder) != null;
    }

    boolean isClosed() {
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
    void end(Tenure held, Past.Event how, Instant at, boolean leaseOver) {
        past.add(Gone.tenure(number(), held, how, at, leaseOver));
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

    // What the verbs are made of.

    /** It is to be written back. */
    void change() {
        changed = true;
    }

    void grant(Tenure next) {
        tenure = next;
        closedUntil = null;
        changed = true;
    }

    /** The same grant, with something about it changed. */
    void keep(Tenure same) {
        tenure = same;
        changed = true;
    }

    /** Whatever was to be kept closed for is no reason any more. */
    void reopen() {
        closedUntil = null;
    }

    long number() {
        return ++numbered;
    }

    void note(Past.Event event, long token, Holder holder, Lock.@Nullable Forced forced) {
        past.add(Gone.note(number(), event, token, holder, forced, stamp()));
        changed = true;
    }

    /** Whoever is first in the queue gets a lock that is free. */
    void handOver() {
        if (isHeld() || isClosed() || queue.isEmpty()) {
            return;
        }
        Waiting head = queue.removeFirst();
        grant(Tenure.begin(nextToken(), head.ask(name), head.identity(), head.ticket(), head.times(), stamp()));
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
