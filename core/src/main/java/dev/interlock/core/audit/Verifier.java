package dev.interlock.core.audit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Goes through a trail, seal by seal, and tells what is wrong with it. Keeps no more than one seal in memory. */
public final class Verifier {
    private static final int MOST_FLAWS = 1000;
    private static final int SEALS_AT_ONCE = 20;

    private final List<Flaw> flaws = new ArrayList<>();
    private final boolean whole;
    private final @Nullable String expected;
    private long allFlaws;
    private boolean expectedSeen;
    private @Nullable Seal previous;
    private boolean previousIsSound = true;
    private long seals;
    private long events;
    private long prunedEvents;
    private long unsealed;
    private long firstGone;
    private long lastGone;
    private long prunedTo;

    /**
     * @param whole whether this is all of a trail, from its first seal to its last event, or a part of it
     * @param expected the hash of a seal that must be among them, as somebody wrote it down; null for none
     */
    public Verifier(boolean whole, @Nullable String expected) {
        this.whole = whole;
        this.expected = expected;
    }

    /** Goes through all of a trail, as it is at one moment: what happens to it meanwhile is no flaw. */
    public static Verification verify(AuditTrail trail, @Nullable String expected) {
        try (StillTrail still = trail.still()) {
            return verify(still, expected);
        }
    }

    private static Verification verify(StillTrail trail, @Nullable String expected) {
        Verifier verifier = new Verifier(true, expected);
        List<Seal> some = trail.seals(0, SEALS_AT_ONCE);
        while (!some.isEmpty()) {
            some.forEach(seal -> verifier.sealed(seal, trail.under(seal)));
            some = trail.seals(some.getLast().number(), SEALS_AT_ONCE);
        }
        trail.unsealed(verifier::unsealed);
        return verifier.answer();
    }

    /** The next seal, and the events that stand where it was made. */
    public void sealed(Seal seal, List<Event> under) {
        checkLink(seal);
        previousIsSound = isSound(seal);
        if (!previousIsSound) {
            add(new Flaw.SealChanged(seal.number()));
        }
        if (seal.isPruned()) {
            gone(seal);
            under.forEach(event -> add(new Flaw.Inserted(event, seal.number())));
        } else if (previousIsSound) {
            new Comparison(seal, under).flaws().forEach(this::add);
        }
        previous = seal;
        seals++;
        expectedSeen |= seal.hash().equals(expected);
        events += under.size();
        under.forEach(this::noticePruning);
    }

    /** An event that is under no seal yet. */
    public void unsealed(Event event) {
        unsealed++;
        noticePruning(event);
    }

    public Verification answer() {
        if (whole && lastGone > prunedTo) {
            add(new Flaw.NotPruned(Math.max(firstGone, prunedTo + 1), lastGone));
        }
        if (expected != null && !expectedSeen) {
            add(new Flaw.AnotherChain(expected));
        }
        Verification.Tally tally = new Verification.Tally(
                seals,
                events,
                prunedEvents,
                unsealed,
                previous == null ? null : previous.sealedAt(),
                previous == null ? null : previous.hash());
        return allFlaws == 0 ? new Verification.Whole(tally) : new Verification.Flawed(flaws, allFlaws, tally);
    }

    private void checkLink(Seal seal) {
        long next = previous == null ? 1 : previous.number() + 1;
        if (previous == null && !whole && seal.number() > 1) {
            return;
        }
        if (seal.number() != next) {
            add(new Flaw.SealsMissing(next, seal.number() - 1));
        } else if (!seal.previous().equals(previous == null ? Seal.NOTHING : previous.hash()) && previousIsSound) {
            // The one before fits itself, so it was made anew as a whole: the one after it remembers another.
            add(new Flaw.SealChanged(Math.max(1, next - 1)));
        }
    }

    private static boolean isSound(Seal seal) {
        List<Seal.Listed> listed = seal.listed();
        return seal.hash().equals(Chain.hash(seal))
                && (listed == null
                        || (listed.size() == seal.count() && seal.listing().equals(Chain.listing(listed))));
    }

    private void gone(Seal seal) {
        prunedEvents += seal.count();
        firstGone = firstGone == 0 ? seal.number() : firstGone;
        lastGone = seal.number();
    }

    /** The trail must tell of its own pruning, and does so by an event that is sealed in its turn. */
    private void noticePruning(Event event) {
        if (event.event().equals(Event.PRUNED)) {
            prunedTo = Math.max(prunedTo, event.token());
        }
    }

    private void add(Flaw flaw) {
        allFlaws++;
        if (flaws.size() < MOST_FLAWS) {
            flaws.add(flaw);
        }
    }
}
