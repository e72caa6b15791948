package dev.interlock.core.workflow;

import dev.interlock.core.DurationText;
import dev.interlock.core.Lease;
import dev.interlock.core.Settings;
import dev.interlock.core.execution.Retry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one workflow is allowed and spared. A malformed request, a wrong state, a hold and a busy target refuse under
 * every policy; the rest is set here.
 *
 * @param cooldown how long a target is left alone after a success; zero for not at all
 * @param cooldownScope whose successes count
 * @param block whose failures close the target until a person has looked; null when none do
 * @param backoff what follows failures before the work began; null when nothing does. It counts in the scope of the
 *     block, and in the target's without one
 * @param timeout how long an attempt may run; null when it may take any time
 */
public record Policy(
        Duration cooldown,
        Scope cooldownScope,
        @Nullable Scope block,
        @Nullable Backoff backoff,
        Retry retry,
        @Nullable Duration timeout,
        Duration lease) {
    /** For controllers that act by themselves: every rule holds. */
    public static final Policy REMEDIATION = new Policy(
            Duration.ofMinutes(5),
            Scope.WORKFLOW,
            Scope.TARGET,
            Backoff.DEFAULT,
            Retry.NONE,
            Duration.ofMinutes(30),
            Settings.DEFAULT.lease());

    /** For people: whoever repeats what has failed is no runaway robot. */
    public static final Policy PLAIN =
            new Policy(Duration.ZERO, Scope.WORKFLOW, null, null, Retry.DEFAULT, null, Settings.DEFAULT.lease());

    public Policy {
        check("A cooldown", cooldown, Duration.ZERO);
        check("A lease", lease, Lease.SHORTEST);
        if (timeout != null) {
            check("A timeout", timeout, Lease.SHORTEST);
        }
    }

    private static void check(String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(Lease.LONGEST) > 0) {
            throw new IllegalArgumentException(what + " must be between " + DurationText.show(least)
                    + " and 366 days, not " + DurationText.show(value) + ".");
        }
    }

    public Policy withCooldown(Duration duration, Scope scope) {
        return new Policy(duration, scope, block, backoff, retry, timeout, lease);
    }

    public Policy withBlock(@Nullable Scope scope) {
        return new Policy(cooldown, cooldownScope, scope, backoff, retry, timeout, lease);
    }

    public Policy withBackoff(@Nullable Backoff value) {
        return new Policy(cooldown, cooldownScope, block, value, retry, timeout, lease);
    }

    public Policy withRetry(Retry value) {
        return new Policy(cooldown, cooldownScope, block, backoff, value, timeout, lease);
    }

    public Policy withTimeout(@Nullable Duration duration) {
        return new Policy(cooldown, cooldownScope, block, backoff, retry, duration, lease);
    }

    public Policy withLease(Duration duration) {
        return new Policy(cooldown, cooldownScope, block, backoff, retry, timeout, duration);
    }
}
