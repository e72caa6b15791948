package dev.interlock.cli;

import dev.interlock.core.DurationText;
import dev.interlock.core.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code run} was asked to do, with times that fit together.
 *
 * @param margin how long before the end of the lease nothing of the command may be alive any more
 */
record RunPlan(
        List<String> names,
        List<String> command,
        Options options,
        Duration grace,
        Duration margin,
        @Nullable Duration timeout,
        int busyExitCode,
        boolean verbose) {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);
    private static final Duration LONGEST_USUAL_GRACE = Duration.ofSeconds(10);
    private static final Duration SECOND = Duration.ofSeconds(1);

    static RunPlan of(Given given) {
        Duration lease = given.duration("--ttl", LEASE, SHORTEST_LEASE, Limits.LONGEST);
        Duration usual = shorter(part(lease, 1, 6), LONGEST_USUAL_GRACE);
        Duration grace = given.duration("--grace", usual, Duration.ZERO, Limits.LONGEST);
        checkGrace(grace, lease);
        Options options = Options.waiting(Limits.wait(given)).withLease(lease).withTerms(Limits.terms(given));
        String execution = given.identifier("--execution");
        int attempt = (int) given.number("--attempt", 1, 1, Integer.MAX_VALUE);
        RunPlan plan = new RunPlan(
                names(given),
                command(given),
                execution == null ? options : options.forExecution(execution, attempt),
                grace,
                margin(lease),
                given.duration("--timeout", SECOND, Limits.LONGEST),
                (int) given.number("--busy-exit-code", Exit.REFUSED, 0, 255),
                given.has("--verbose"));
        plan.checkMaxHold();
        return plan;
    }

    private static List<String> names(Given given) {
        List<String> names = new ArrayList<>();
        for (String name : given.texts("--lock")) {
            names.add(Given.name(name).value());
        }
        if (names.isEmpty()) {
            throw new UsageError("Say which lock, as in interlock run --lock NAME -- COMMAND.");
        }
        return names;
    }

    private static List<String> command(Given given) {
        if (given.command().isEmpty()) {
            throw new UsageError("Say what to run, after two dashes, as in interlock run --lock NAME -- COMMAND.");
        }
        return given.command();
    }

    /** The lease is renewed at a third of it; until then, and a second longer, the command must not be stopped. */
    private static void checkGrace(Duration grace, Duration lease) {
        Duration most = part(lease, 2, 3).minus(margin(lease)).minus(SECOND);
        if (grace.compareTo(most) > 0) {
            throw new UsageError("--grace " + DurationText.show(grace) + " does not fit into a lease of "
                    + DurationText.show(lease) + ": give --ttl " + DurationText.show(leaseFor(grace))
                    + " or more, or a grace of at most " + DurationText.show(most) + ".");
        }
    }

    private static Duration leaseFor(Duration grace) {
        long withSecond = (grace.toMillis() + 2_000) * 3 / 2;
        long withTenth = (grace.toMillis() + 1_000) * 30 / 17;
        long seconds = Math.max(withSecond, withTenth) / 1_000 + 1;
        long unit = seconds > 86_400 ? 3_600 : seconds > 3_600 ? 60 : 1; // what is shown must be enough, too
        return Duration.ofSeconds((seconds + unit - 1) / unit * unit);
    }

    private void checkMaxHold() {
        Duration maxHold = options.terms().maxHold();
        Duration least = grace.plus(margin).plus(SECOND);
        if (maxHold != null && maxHold.compareTo(least) < 0) {
            throw new UsageError("--max-hold " + DurationText.show(maxHold)
                    + " leaves the command no time: stopping it takes up to " + DurationText.show(grace.plus(margin))
                    + ", so give it more than " + DurationText.show(least) + ".");
        }
    }

    private static Duration margin(Duration lease) {
        Duration tenth = part(lease, 1, 10);
        return tenth.compareTo(SECOND) < 0 ? SECOND : tenth;
    }

    /** Duration's own arithmetic goes through big numbers, which takes 10 ms when they are used for the first time. */
    private static Duration part(Duration whole, int numerator, int denominator) {
        return Duration.ofMillis(whole.toMillis() * numerator / denominator);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
