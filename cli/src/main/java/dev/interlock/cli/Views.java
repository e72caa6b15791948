package dev.interlock.cli;

import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Style;
import dev.interlock.cli.output.Table;
import dev.interlock.core.DurationText;
import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.Past;
import dev.interlock.core.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The records of the core as they are shown, with the names that programs rely on. */
final class Views {
    private Views() {}

    static Data.Fields data(Lock lock) {
        Lock.Grant grant = lock.grant();
        return new Data.Fields()
                .with("name", lock.name().value())
                .with("status", lock.status().word())
                .with("token", lock.token())
                .with("holder", data(lock.holder()))
                .with("acquired_at", grant.acquiredAt())
                .with("renewed_at", grant.renewedAt())
                .with("expires_at", grant.expiresAt())
                .with("maintenance", maintenance(lock))
                .with("forced", forced(lock))
                .with("closed_until", lock.closedUntil())
                .with("waiting", lock.waiting())
                .with("seen_at", lock.seenAt());
    }

    static Data.Fields data(Holder holder) {
        return new Data.Fields()
                .with("execution", holder.execution())
                .with("attempt", holder.attempt())
                .with("owner", holder.owner())
                .with("host", holder.host())
                .with("user", holder.user());
    }

    static Data.Fields data(Waiter waiter) {
        return new Data.Fields()
                .with("position", waiter.position())
                .with("ticket", waiter.ticket())
                .with("holder", data(waiter.holder()))
                .with("since", waiter.since())
                .with("until", waiter.until());
    }

    static Data.Fields data(Past past) {
        return new Data.Fields()
                .with("event", word(past.event()))
                .with("token", past.token())
                .with("holder", data(past.holder()))
                .with("began", past.began())
                .with("ended", past.ended())
                .with("detail", past.detail());
    }

    private static Data.@Nullable Fields maintenance(Lock lock) {
        var maintenance = lock.grant().maintenance();
        return maintenance == null
                ? null
                : new Data.Fields().with("reason", maintenance.reason()).with("ticket", maintenance.ticket());
    }

    private static Data.@Nullable Fields forced(Lock lock) {
        var forced = lock.grant().forced();
        return forced == null
                ? null
                : new Data.Fields().with("actor", forced.actor()).with("reason", forced.reason());
    }

    static String word(Past.Event event) {
        return switch (event) {
            case RELEASED -> "released";
            case EXPIRED -> "expired";
            case FORCED -> "forced";
            case HELD_TOO_LONG -> "held-too-long";
            case REFUSED -> "refused";
            case FORCE_ORDERED -> "force-ordered";
        };
    }

    static Table.Cell status(Lock lock) {
        Style style = switch (lock.status()) {
            case ACTIVE -> Style.GOOD;
            case RELEASING -> Style.WARN;
            case EXPIRED -> Style.BAD;
            case RELEASED -> Style.PLAIN;
        };
        return Table.cell(lock.status().word(), style);
    }

    static String who(Holder holder) {
        return holder.user() + " on " + holder.host();
    }

    static String execution(Holder holder) {
        return holder.attempt() == 1 ? holder.execution() : holder.execution() + " (attempt " + holder.attempt() + ")";
    }

    /** How long ago, or how long until then, by the clock that saw it. */
    static String span(Instant from, Instant to) {
        Duration span = Duration.between(from, to);
        return DurationText.show(span.isNegative() ? Duration.ZERO : span);
    }

    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
