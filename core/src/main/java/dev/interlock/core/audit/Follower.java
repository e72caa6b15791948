package dev.interlock.core.audit;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the trail as it grows: every event once, also one whose transaction ended long after later ones. */
public final class Follower {
    private static final int AT_ONCE = 1000;

    private final AuditTrail trail;
    private final EventFilter filter;
    private Position settled;
    private final Set<Position> seen = new HashSet<>();

    /**
     * @param after where to begin; what is before it is never read
     * @param shown events that are known already
     */
    public Follower(AuditTrail trail, EventFilter filter, Position after, Collection<Event> shown) {
        this.trail = trail;
        this.filter = filter;
        this.settled = after;
        shown.forEach(event -> seen.add(event.at()));
    }

    /** What has come since the last call; empty when nothing has. */
    public List<Event> next() {
        Slice slice = trail.read(filter, settled, AT_ONCE + seen.size());
        List<Event> fresh =
                slice.events().stream().filter(event -> seen.add(event.at())).toList();
        settled = slice.settled();
        seen.removeIf(at -> at.compareTo(settled) <= 0);
        return fresh;
    }
}
