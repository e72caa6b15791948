package dev.interlock.core;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one rule says about granting a lock now. All of them together answer why somebody would be refused.
 *
 * @param evidence what the rule goes by; the sentence is written here once and shown by every surface
 * @param until when a rule that blocks will not block any more, at the latest and if nothing changes; null when it does
 *     not block, or when nobody can tell
 */
public record Verdict(
        Rule rule,
        boolean blocks,
        String evidence,
        @Nullable Instant until) {
    public enum Rule {
        /** Nobody else may hold it. */
        HOLDER,
        /** No person may hold it for maintenance. */
        MAINTENANCE,
        /** No cooldown or lock-delay may be running. */
        COOLDOWN,
        /** Nobody may have asked before. */
        QUEUE;

        public String word() {
            return switch (this) {
                case HOLDER -> "holder";
                case MAINTENANCE -> "maintenance";
                case COOLDOWN -> "cooldown";
                case QUEUE -> "queue";
            };
        }
    }

    /** Every rule, in the order in which they are checked. */
    public static List<Verdict> of(@Nullable Lock lock, List<Waiter> waiters) {
        return List.of(holder(lock), maintenance(lock), cooldown(lock), queue(waiters));
    }

    private static Verdict holder(@Nullable Lock lock) {
        if (lock == null) {
            return passes(Rule.HOLDER, "Nobody has held it yet.");
        }
        Holder holder = lock.holder();
        String who = "execution " + holder.execution() + " (" + holder.user() + " on " + holder.host() + ", token "
                + lock.token() + ")";
        return switch (lock.status()) {
            case ACTIVE ->
                lock.grant().maintenance() != null
                        ? passes(Rule.HOLDER, "No execution holds it.")
                        : blocks(
                                Rule.HOLDER,
                                "Held by " + who + ".",
                                lock.grant().expiresAt());
            case RELEASING ->
                blocks(
                        Rule.HOLDER,
                        "Being released by " + who + ".",
                        lock.grant().expiresAt());
            case RELEASED -> passes(Rule.HOLDER, "Released by " + who + ".");
            case EXPIRED -> passes(Rule.HOLDER, "The lease of " + who + " has run out.");
        };
    }

    private static Verdict maintenance(@Nullable Lock lock) {
        Maintenance maintenance =
                lock == null || !lock.isHeld() ? null : lock.grant().maintenance();
        if (lock == null || maintenance == null) {
            return passes(Rule.MAINTENANCE, "Nobody holds it for maintenance.");
        }
        String ticket = maintenance.ticket() == null ? "" : " [" + maintenance.ticket() + "]";
        return blocks(
                Rule.MAINTENANCE,
                "Held by " + lock.holder().user() + " (token " + lock.token() + "): " + maintenance.reason() + ticket
                        + ".",
                lock.grant().expiresAt());
    }

    private static Verdict cooldown(@Nullable Lock lock) {
        Instant until = lock == null ? null : lock.closedUntil();
        if (lock == null || until == null || !until.isAfter(lock.seenAt())) {
            return passes(Rule.COOLDOWN, "No cooldown or lock-delay is running.");
        }
        return blocks(Rule.COOLDOWN, "Closed after execution " + lock.holder().execution() + " ended.", until);
    }

    private static Verdict queue(List<Waiter> waiters) {
        return waiters.isEmpty()
                ? passes(Rule.QUEUE, "Nobody waits for it.")
                : blocks(Rule.QUEUE, waiters.size() + " waiting, first come first served.", null);
    }

    private static Verdict passes(Rule rule, String evidence) {
        return new Verdict(rule, false, evidence, null);
    }

    private static Verdict blocks(Rule rule, String evidence, @Nullable Instant until) {
        return new Verdict(rule, true, evidence, until);
    }
}
