package dev.interlock.core;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** How a sentence names a holder, a time and a command, so that every refusal says them alike. */
public final class Wording {
    private static final int LONGEST_LINE = 200;

    private Wording() {}

    /** Who has the lock, since when and until when; the middle of a sentence. */
    public static String held(Lock lock) {
        Holder holder = lock.holder();
        Maintenance maintenance = lock.grant().maintenance();
        String since = time(lock.grant().acquiredAt(), lock.seenAt());
        String until = time(lock.grant().expiresAt(), lock.seenAt());
        String queue = lock.waiting() == 0 ? "" : "; " + lock.waiting() + " waiting";
        if (!lock.isHeld()) {
            return "lock '%s' is free, but %d waiting are ahead; last token %d"
                    .formatted(lock.name(), lock.waiting(), lock.token());
        }
        if (maintenance != null) {
            String ticket = maintenance.ticket() == null ? "" : " [" + maintenance.ticket() + "]";
            return "lock '%s' is held for maintenance by %s since %s, until %s: %s%s; token %d%s"
                    .formatted(
                            lock.name(),
                            holder.user(),
                            since,
                            until,
                            maintenance.reason(),
                            ticket,
                            lock.token(),
                            queue);
        }
        String state = lock.status() == Lock.Status.RELEASING ? "is being released by" : "is held by";
        return "lock '%s' %s execution %s (%s on %s) since %s, lease until %s, token %d%s"
                .formatted(
                        lock.name(),
                        state,
                        holder.execution(),
                        holder.user(),
                        holder.host(),
                        since,
                        until,
                        lock.token(),
                        queue);
    }

    /** The time of day on the day it was seen, the whole date on any other. */
    public static String time(Instant instant, Instant seenAt) {
        Instant second = instant.truncatedTo(ChronoUnit.SECONDS);
        boolean sameDay = second.atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .equals(seenAt.atOffset(ZoneOffset.UTC).toLocalDate());
        return sameDay ? second.toString().substring(11) : second.toString();
    }

    /** As a person would type it: 250 ms, 1m30s, 10m. */
    public static String spoken(Duration duration) {
        return duration.toMillis() < 1000
                ? duration.toMillis() + " ms"
                : duration.truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                        .substring(2)
                        .toLowerCase(Locale.ROOT);
    }

    /** What a program has said, fit for the middle of a sentence: one line, and not too much of it. */
    public static String line(String text) {
        String said = text.strip();
        said = said.endsWith(".") ? said.substring(0, said.length() - 1) : said;
        StringBuilder line = new StringBuilder();
        said.codePoints()
                .limit(LONGEST_LINE)
                .map(point -> Character.isISOControl(point) ? ' ' : point)
                .forEach(line::appendCodePoint);
        return said.codePointCount(0, said.length()) > LONGEST_LINE ? line + "…" : line.toString();
    }

    /** So that the command in the sentence can be pasted into a shell. */
    public static String quoted(String value) {
        for (int at = 0; at < value.length(); at++) {
            char c = value.charAt(at);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "/._-:@%+=,".indexOf(c) < 0) {
                return "'" + value.replace("'", "'\\''") + "'";
            }
        }
        return value;
    }
}
