package dev.interlock.cli;

import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.JsonLine;
import dev.interlock.cli.text.Printable;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.EventFilter;
import dev.interlock.core.audit.Follower;
import dev.interlock.core.audit.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

final class AuditTail implements Command {
    private static final int MOST = 10_000;
    private static final Duration PAUSE = Duration.ofMillis(500);

    @Override
    public void shape(Shape shape) {
        shape.option("--target", "NAME", "Only events of this target.")
                .option("--execution", "ID", "Only events of this execution.")
                .repeatable("--event", "EVENT", "Only events of this kind, such as forced; may be repeated.")
                .option("--since", "DURATION", "Only events of the last while, such as 2h.")
                .option("--limit", "N", "At most so many to begin with, from 1 to 10000. Default: 20.")
                .flag("Go on showing events as they come.", "-f", "--follow")
                .output();
    }

    @Override
    public int run(Given given, Session session) throws InterruptedException {
        if (session.format() == Format.YAML) {
            throw new UsageError("audit tail answers as a table, or with -o json as one object per line.");
        }
        EventFilter filter = filter(given);
        int limit = (int) given.number("--limit", 20, 1, MOST);
        try (AuditTrail trail = session.audit()) {
            Position settled = trail.settled(); // before the first look, so that nothing falls in between
            List<Event> latest = trail.latest(filter, limit);
            latest.forEach(event -> show(event, session));
            if (given.has("--follow")) {
                follow(new Follower(trail, filter, settled, latest), session);
            } else if (latest.isEmpty() && session.format() == Format.TABLE) {
                session.talk().say("Nothing of that kind is in the trail.");
            }
        }
        return Exit.OK;
    }

    private static EventFilter filter(Given given) {
        Duration since = given.duration("--since", Duration.ofSeconds(1), Duration.ofDays(36_500));
        Set<String> events = given.texts("--event").stream()
                .map(event -> event.toUpperCase(Locale.ROOT).replace('-', '_'))
                .collect(Collectors.toSet());
        String target = given.text("--target");
        return new EventFilter(
                target == null ? null : Given.name(target).value(), given.identifier("--execution"), events, since);
    }

    /** Until the user interrupts, or nobody reads any more. */
    private static void follow(Follower follower, Session session) throws InterruptedException {
        while (!session.terminal().out().checkError()) {
            List<Event> fresh = follower.next();
            fresh.forEach(event -> show(event, session));
            if (fresh.isEmpty()) {
                session.ports().pause(PAUSE);
            }
        }
    }

    private static void show(Event event, Session session) {
        session.terminal()
                .out()
                .println(session.format() == Format.JSON ? JsonLine.write(AuditLines.event(event)) : line(event));
    }

    private static String line(Event event) {
        List<String> words = new ArrayList<>();
        words.add(Views.time(event.ended()));
        words.add(event.event().toLowerCase(Locale.ROOT).replace('_', '-'));
        add(words, event.target());
        words.add("token " + event.token());
        add(words, event.execution());
        add(words, event.user());
        add(words, event.phase());
        add(words, event.actor() == null ? null : "by " + event.actor());
        add(words, event.detail());
        return Printable.of(String.join("  ", words));
    }

    private static void add(List<String> words, @Nullable String word) {
        if (word != null && !word.isEmpty()) {
            words.add(word);
        }
    }
}
