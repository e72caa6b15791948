package dev.interlock.cli;

import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.audit.Chain;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.EventFilter;
import dev.interlock.core.audit.Position;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.Sealing;
import dev.interlock.core.audit.Slice;
import dev.interlock.core.audit.StillTrail;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A trail in memory, whose events a test may change as it likes. */
final class MemoryTrail implements AuditTrail, StillTrail {
    private static final Seal.Era ERA = new Seal.Era(1, -4711, 0, 1);

    final List<Event> events = new ArrayList<>();
    private final List<Seal> seals = new ArrayList<>();

    /** So many tenures of a lock. */
    static MemoryTrail of(int tenures) {
        MemoryTrail trail = new MemoryTrail();
        for (int number = 1; number <= tenures; number++) {
            trail.events.add(tenure(number, null));
        }
        return trail;
    }

    static Event tenure(long number, String detail) {
        return new Event(
                new Position(700 + number, number),
                "prod/db",
                number,
                "HELD_TOO_LONG",
                "exec-" + number,
                1,
                "alice-pc:7:ab12",
                "alice",
                Workbench.NOON,
                Workbench.NOON.plusSeconds(number).plusNanos(1000),
                detail == null ? null : "bob",
                detail,
                false,
                null,
                "c\n\"\u001b\\é",
                null,
                null);
    }

    @Override
    public Position settled() {
        return events.isEmpty() ? Position.START : events.getLast().at();
    }

    @Override
    public Slice read(EventFilter filter, Position after, int most) {
        return new Slice(after(after).limit(most).toList(), settled());
    }

    @Override
    public List<Event> latest(EventFilter filter, int most) {
        List<Event> matching = events.stream()
                .filter(event -> filter.events().isEmpty() || filter.events().contains(event.event()))
                .toList();
        return matching.subList(Math.max(0, matching.size() - most), matching.size());
    }

    @Override
    public Sealing seal(int most) {
        Seal last = seals.isEmpty() ? null : seals.getLast();
        Position from = last == null ? Position.START : last.to();
        List<Event> next = after(from).limit(Math.min(most, 2)).toList();
        if (next.isEmpty()) {
            return new Sealing.NothingToDo();
        }
        seals.add(Chain.next(last, ERA, from, next.getLast().at(), next, Workbench.NOON));
        return new Sealing.Done(seals.getLast());
    }

    @Override
    public StillTrail still() {
        return this;
    }

    @Override
    public List<Seal> seals(long after, int most) {
        return seals.stream().filter(seal -> seal.number() > after).limit(most).toList();
    }

    @Override
    public List<Event> under(Seal seal) {
        return after(seal.from())
                .filter(event -> event.at().compareTo(seal.to()) <= 0)
                .toList();
    }

    @Override
    public void unsealed(Consumer<Event> each) {
        after(seals.isEmpty() ? Position.START : seals.getLast().to()).forEach(each);
    }

    private java.util.stream.Stream<Event> after(Position position) {
        return events.stream().filter(event -> event.at().compareTo(position) > 0);
    }

    @Override
    public void close() {}
}
