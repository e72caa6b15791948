package dev.interlock.declaration;

import dev.interlock.core.execution.Retry;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads what one workflow is allowed and spared: a preset, and what differs from it. */
final class Policies {
    static final List<String> KEYS =
            List.of("preset", "cooldown", "cooldownScope", "block", "backoff", "retry", "timeout", "lease");

    private static final List<String> BACKOFF = List.of("base", "max", "limit", "probeAfter");
    private static final List<String> RETRY = List.of("attempts", "first", "longest", "afterLoss");

    private Policies() {}

    static Policy read(Form form) {
        boolean remediation = "remediation".equals(form.choice("preset", List.of("plain", "remediation")));
        Policy policy = remediation ? Policy.REMEDIATION : Policy.PLAIN;
        policy = cooldown(form, policy);
        policy = form.with("block", policy, it -> it.withBlock(scope(form, "block", it.block(), true)));
        policy = policy.withBackoff(backoff(form, policy.backoff()));
        policy = policy.withRetry(retry(form, policy.retry()));
        policy = timeout(form, policy);
        Duration lease = form.duration("lease");
        return lease == null ? policy : form.with("lease", policy, it -> it.withLease(lease));
    }

    private static Policy cooldown(Form form, Policy policy) {
        Duration cooldown = form.duration("cooldown");
        Policy cooled = cooldown == null
                ? policy
                : form.with("cooldown", policy, it -> it.withCooldown(cooldown, it.cooldownScope()));
        Scope scope = scope(form, "cooldownScope", cooled.cooldownScope(), false);
        return scope == null ? cooled : cooled.withCooldown(cooled.cooldown(), scope);
    }

    private static Policy timeout(Form form, Policy policy) {
        if (form.isNone("timeout")) {
            return policy.withTimeout(null);
        }
        Duration timeout = form.duration("timeout");
        return timeout == null ? policy : form.with("timeout", policy, it -> it.withTimeout(timeout));
    }

    /** What is written, else what was; null for none. */
    private static @Nullable Scope scope(Form form, String key, @Nullable Scope otherwise, boolean orNone) {
        String word =
                form.choice(key, orNone ? List.of("target", "workflow", Form.NONE) : List.of("target", "workflow"));
        if (word == null) {
            return otherwise;
        }
        return word.equals(Form.NONE) ? null : Scope.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static @Nullable Backoff backoff(Form form, @Nullable Backoff otherwise) {
        Piece piece = form.piece("backoff");
        if (piece == null || form.isNone("backoff")) {
            return piece == null ? otherwise : null;
        }
        Form given = form.form("backoff", piece, BACKOFF);
        Backoff start = otherwise == null ? Backoff.DEFAULT : otherwise;
        Duration base = orElse(given.duration("base"), start.base());
        Duration max = orElse(given.duration("max"), start.max());
        Backoff backoff = given.with(given.has("base") ? "base" : "max", start, it -> it.withDelays(base, max));
        Integer limit = given.number("limit");
        backoff = limit == null ? backoff : given.with("limit", backoff, it -> it.withLimit(limit));
        if (given.isNone("probeAfter")) {
            return backoff.withProbeAfter(null);
        }
        Duration probe = given.duration("probeAfter");
        return probe == null ? backoff : given.with("probeAfter", backoff, it -> it.withProbeAfter(probe));
    }

    private static Retry retry(Form form, Retry otherwise) {
        Piece piece = form.piece("retry");
        if (piece == null || form.isNone("retry")) {
            return piece == null ? otherwise : Retry.NONE;
        }
        Form given = form.form("retry", piece, RETRY);
        Integer attempts = given.number("attempts");
        Retry retry = attempts == null ? otherwise : given.with("attempts", otherwise, it -> it.withAttempts(attempts));
        Duration first = orElse(given.duration("first"), retry.first());
        Duration longest = orElse(given.duration("longest"), retry.longest());
        retry = given.with(given.has("first") ? "first" : "longest", retry, it -> it.withWaits(first, longest));
        String afterLoss = given.choice("afterLoss", List.of("true", "false"));
        return afterLoss == null ? retry : retry.withAfterLoss(afterLoss.equals("true"));
    }

    private static Duration orElse(@Nullable Duration given, Duration otherwise) {
        return given == null ? otherwise : given;
    }
}
