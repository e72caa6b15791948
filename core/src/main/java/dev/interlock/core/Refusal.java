package dev.interlock.core;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Why a lock was not granted. The sentence is written here once and shown by every surface. */
public sealed interface Refusal {
    record Busy(Lock current) implements Refusal {}

    record Cooling(Lock last, Instant until) implements Refusal {}

    record QueueFull(Lock current, int limit) implements Refusal {}

    record WaitedTooLong(
            LockName name, Duration waited, @Nullable Lock current) implements Refusal {}

    record Cancelled(LockName name) implements Refusal {}

    /** What happened, who, until when, what now. */
    default String sentence() {
        return switch (this) {
            case Busy(Lock current) ->
                "Blocked: %s. Wait with --wait 10m, or see: interlock why %s"
                        .formatted(held(current), quoted(current.name()));
            case Cooling(Lock last, Instant until) ->
                "Blocked: lock '%s' is closed until %s after execution %s (%s on %s) ended; token %d. Wait with --wait 10m, or see: interlock why %s"
                        .formatted(
                                last.name(),
                                time(until, last.seenAt()),
                                last.holder().execution(),
                                last.holder().user(),
                                last.holder().host(),
                                last.token(),
                                quoted(last.name()));
            case QueueFull(Lock current, int limit) ->
                "Blocked: %s, and the queue is full (limit %d). Try again later, or see: interlock why %s"
                        .formatted(held(current), limit, quoted(current.name()));
            case WaitedTooLong(LockName name, Duration waited, @Nullable Lock current) ->
                "Gave up waiting for lock '%s' after %s%s. Wait longer with --wait, or see: interlock why %s"
                        .formatted(name, spoken(waited), current == null ? "" : ": " + held(current), quoted(name));
            case Cancelled(LockName name) ->
                "The wait for lock '%s' was cancelled by somebody; see: interlock locks history %s"
                        .formatted(name, quoted(name));
        };
    }

    private static String held(Lock lock) {
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
    private static String time(Instant instant, Instant seenAt) {
        Instant second = instant.truncatedTo(ChronoUnit.SECONDS);
        boolean sameDay = second.atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .equals(seenAt.atOffset(ZoneOffset.UTC).toLocalDate());
        return sameDay ? second.toString().substring(11) : second.toString();
    }

    private static String spoken(Duration duration) {
        return duration.toMillis() < 1000
                ? duration.toMillis() + " ms"
                : duration.truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                        .substring(2)
                        .toLowerCase(java.util.Locale.ROOT);
    }

    /** So that the command in the sentence can be pasted into a shell. */
    private static String quoted(LockName name) {
        String value = name.value();
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
