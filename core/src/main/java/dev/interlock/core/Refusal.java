package dev.interlock.core;

import java.time.Duration;
import java.time.Instant;
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
                        .formatted(
                                Wording.held(current),
                                Wording.quoted(current.name().value()));
            case Cooling(Lock last, Instant until) ->
                "Blocked: lock '%s' is closed until %s after execution %s (%s on %s) ended; token %d. Wait with --wait 10m, or see: interlock why %s"
                        .formatted(
                                last.name(),
                                Wording.time(until, last.seenAt()),
                                last.holder().execution(),
                                last.holder().user(),
                                last.holder().host(),
                                last.token(),
                                Wording.quoted(last.name().value()));
            case QueueFull(Lock current, int limit) ->
                "Blocked: %s, and the queue is full (limit %d). Try again later, or see: interlock why %s"
                        .formatted(
                                Wording.held(current),
                                limit,
                                Wording.quoted(current.name().value()));
            case WaitedTooLong(LockName name, Duration waited, @Nullable Lock current) ->
                "Gave up waiting for lock '%s' after %s%s. Wait longer with --wait, or see: interlock why %s"
                        .formatted(
                                name,
                                Wording.spoken(waited),
                                current == null ? "" : ": " + Wording.held(current),
                                Wording.quoted(name.value()));
            case Cancelled(LockName name) ->
                "The wait for lock '%s' was cancelled by somebody; see: interlock locks history %s"
                        .formatted(name, Wording.quoted(name.value()));
        };
    }
}
