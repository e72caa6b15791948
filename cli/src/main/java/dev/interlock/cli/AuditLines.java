package dev.interlock.cli;

import dev.interlock.cli.output.Data;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.Position;
import dev.interlock.core.audit.Seal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events and seals as lines of an export, complete: what is read from a line equals what was written. */
final class AuditLines {
    private AuditLines() {}

    static Data.Fields event(Event event) {
        return new Data.Fields()
                .with("kind", "event")
                .with("at", event.at().toString())
                .with("target", event.target())
                .with("token", event.token())
                .with("event", event.event())
                .with("execution", event.execution())
                .with("attempt", event.attempt())
                .with("owner", event.owner())
                .with("user", event.user())
                .with("began", event.began().toString())
                .with("ended", event.ended().toString())
                .with("actor", event.actor())
                .with("detail", event.detail())
                .with("clean", event.clean())
                .with("workflow", event.workflow())
                .with("correlation", event.correlation())
                .with("phase", event.phase())
                .with("state", event.state());
    }

    static Event event(Map<String, @Nullable Object> line) {
        return new Event(
                Position.parse(text(line, "at")),
                text(line, "target"),
                number(line, "token"),
                text(line, "event"),
                text(line, "execution"),
                Math.toIntExact(number(line, "attempt")),
                text(line, "owner"),
                text(line, "user"),
                Instant.parse(text(line, "began")),
                Instant.parse(text(line, "ended")),
                textOrNull(line, "actor"),
                textOrNull(line, "detail"),
                (boolean) given(line, "clean"),
                textOrNull(line, "workflow"),
                textOrNull(line, "correlation"),
                textOrNull(line, "phase"),
                textOrNull(line, "state"));
    }

    static Data.Fields seal(Seal seal) {
        return new Data.Fields()
                .with("kind", "seal")
                .with("number", seal.number())
                .with("era", seal.era().number())
                .with("system", seal.era().system())
                .with("epoch", seal.era().epoch())
                .with("first_seq", seal.era().firstSeq())
                .with("from", seal.from().toString())
                .with("to", seal.to().toString())
                .with("count", seal.count())
                .with("newest", seal.newest().toString())
                .with("sealed_at", seal.sealedAt().toString())
                .with("listed", listed(seal.listed()))
                .with("listing", seal.listing())
                .with("contents", seal.contents())
                .with("previous", seal.previous())
                .with("hash", seal.hash());
    }

    private static @Nullable Data listed(@Nullable List<Seal.Listed> listed) {
        return listed == null
                ? null
                : new Data.Items(listed.stream()
                        .map(one -> new Data.Text(one.at() + ":" + Long.toHexString(one.digest())))
                        .toList());
    }

    static Seal seal(Map<String, @Nullable Object> line) {
        return new Seal(
                number(line, "number"),
                new Seal.Era(
                        Math.toIntExact(number(line, "era")),
                        number(line, "system"),
                        Math.toIntExact(number(line, "epoch")),
                        number(line, "first_seq")),
                Position.parse(text(line, "from")),
                Position.parse(text(line, "to")),
                Math.toIntExact(number(line, "count")),
                Instant.parse(text(line, "newest")),
                Instant.parse(text(line, "sealed_at")),
                listed(line),
                text(line, "listing"),
                text(line, "contents"),
                text(line, "previous"),
                text(line, "hash"));
    }

    private static @Nullable List<Seal.Listed> listed(Map<String, @Nullable Object> line) {
        if (line.get("listed") == null) {
            return null;
        }
        List<Seal.Listed> listed = new ArrayList<>();
        for (Object one : (List<?>) given(line, "listed")) {
            String text = (String) one;
            int colon = text.lastIndexOf(':');
            listed.add(new Seal.Listed(
                    Position.parse(text.substring(0, colon)), Long.parseUnsignedLong(text.substring(colon + 1), 16)));
        }
        return listed;
    }

    static String text(Map<String, @Nullable Object> line, String name) {
        return (String) given(line, name);
    }

    private static @Nullable String textOrNull(Map<String, @Nullable Object> line, String name) {
        return (String) line.get(name);
    }

    static long number(Map<String, @Nullable Object> line, String name) {
        return (long) given(line, name);
    }

    static Object given(Map<String, @Nullable Object> line, String name) {
        Object value = line.get(name);
        if (value == null) {
            throw new IllegalArgumentException("it has no " + name);
        }
        return value;
    }
}
