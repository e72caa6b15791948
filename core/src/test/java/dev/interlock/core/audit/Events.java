package dev.interlock.core.audit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Events to seal, and the chain over them. */
final class Events {
    static final Instant NOON = Instant.parse("2026-11-16T12:00:00.123456Z");
    static final Seal.Era ERA = new Seal.Era(1, 4711, 0, 1);

    private Events() {}

    static Event released(long xid, long seq) {
        return new Event(
                new Position(xid, seq),
                "prod/db",
                seq,
                "RELEASED",
                "exec-" + seq,
                1,
                "host:1:ab",
                "alice",
                NOON,
                NOON.plusSeconds(seq),
                null,
                null,
                true,
                null,
                null,
                null,
                null);
    }

    static Event pruned(long xid, long seq, long to) {
        Event event = released(xid, seq);
        return new Event(
                event.at(),
                "",
                to,
                Event.PRUNED,
                "",
                0,
                "",
                "postgres",
                NOON,
                NOON,
                null,
                null,
                false,
                null,
                null,
                null,
                null);
    }

    static Event with(Event event, String detail) {
        return new Event(
                event.at(),
                event.target(),
                event.token(),
                event.event(),
                event.execution(),
                event.attempt(),
                event.owner(),
                event.user(),
                event.began(),
                event.ended(),
                event.actor(),
                detail,
                event.clean(),
                event.workflow(),
                event.correlation(),
                event.phase(),
                event.state());
    }

    static Event at(Event event, Position at) {
        return new Event(
                at,
                event.target(),
                event.token(),
                event.event(),
                event.execution(),
                event.attempt(),
                event.owner(),
                event.user(),
                event.began(),
                event.ended(),
                event.actor(),
                event.detail(),
                event.clean(),
                event.workflow(),
                event.correlation(),
                event.phase(),
                event.state());
    }

    static final int TEXTS = 11;

    /** An event with these texts, of which the last six may be null, and these numbers. */
    static Event of(String[] texts, long token, int attempt, Instant began, Instant ended, boolean clean) {
        return new Event(
                Position.START,
                texts[0],
                token,
                texts[1],
                texts[2],
                attempt,
                texts[3],
                texts[4],
                began,
                ended,
                texts[5],
                texts[6],
                clean,
                texts[7],
                texts[8],
                texts[9],
                texts[10]);
    }

    /** A trail of seals with the events that stand under each. */
    static final class Trail {
        final List<Seal> seals = new ArrayList<>();
        final List<List<Event>> under = new ArrayList<>();

        /** So many seals over three events each. */
        static Trail of(int seals) {
            Trail trail = new Trail();
            for (int number = 0; number < seals; number++) {
                long xid = 100 + 10L * number;
                long seq = 3L * number;
                trail.seal(List.of(released(xid, seq + 1), released(xid, seq + 2), released(xid + 5, seq + 3)));
            }
            return trail;
        }

        void seal(List<Event> events) {
            Seal last = seals.isEmpty() ? null : seals.getLast();
            Position from = last == null ? Position.START : last.to();
            seals.add(Chain.next(last, ERA, from, events.getLast().at(), events, NOON));
            under.add(new ArrayList<>(events));
        }

        void forget(int seal) {
            Seal s = seals.get(seal);
            seals.set(
                    seal,
                    new Seal(
                            s.number(),
                            s.era(),
                            s.from(),
                            s.to(),
                            s.count(),
                            s.newest(),
                            s.sealedAt(),
                            null,
                            s.listing(),
                            s.contents(),
                            s.previous(),
                            s.hash()));
            under.get(seal).clear();
        }

        Verification verified() {
            Verifier verifier = new Verifier(true, null);
            for (int at = 0; at < seals.size(); at++) {
                verifier.sealed(seals.get(at), under.get(at));
            }
            return verifier.answer();
        }
    }
}
