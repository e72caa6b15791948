package dev.interlock.metrics;

import dev.interlock.core.LockEvent;
import dev.interlock.core.Loss;
import dev.interlock.core.Observer;
import dev.interlock.core.Refusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Counts and times the locks of one service under its own prefix, without the names of locks, of which there may be any
 * number.
 *
 * <pre>{@code
 * Locks locks = new Locks(store, ThisProcess.identity(), Settings.DEFAULT, ports, new LockMetrics(registry, "gateway"));
 * }</pre>
 */
public final class LockMetrics implements Observer {
    private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");

    /** With an edge at 20 ms, which the target of the 95th percentile is. */
    private static final Duration[] ACQUISITION =
            edges(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 30_000, 300_000);

    private static final Duration[] HOLD = edges(10, 100, 1000, 10_000, 30_000, 60_000, 300_000, 1_800_000, 3_600_000);

    private static final String FORCED = "forced";

    private static final List<String> REASONS_OF_LOSS = List.of(
            reason(Loss.Cause.EXPIRED),
            reason(Loss.Cause.SUPERSEDED),
            reason(Loss.Cause.HELD_TOO_LONG),
            reason(Loss.Cause.FORGOTTEN),
            reason(Loss.Cause.UNCONFIRMED),
            FORCED);

    private final MeterRegistry registry;
    private final String prefix;
    private final Counter attempts;
    private final Counter successes;
    private final Counter contention;
    private final Counter apiErrors;
    private final Counter cancelled;
    private final Counter releases;
    private final Counter unrenewed;
    private final Timer acquisition;
    private final Timer hold;

    /**
     * All series are there from the beginning: a rate does not see the step from nothing to one.
     *
     * @param service begins every name: a to z, 0 to 9 and single underscores, such as {@code gateway}
     */
    public LockMetrics(MeterRegistry registry, String service) {
        checkPrefix(service);
        this.registry = registry;
        this.prefix = service + "_lock_";
        this.attempts = counter("acquisition_attempts", "Requests for a lock");
        this.successes = counter("acquisition_successes", "Requests that were granted");
        this.contention = failures("contention");
        this.apiErrors = failures("api_error");
        this.cancelled = failures("cancelled");
        this.releases = counter("releases", "Grants that were given back");
        this.unrenewed = counter("renewal_failures", "Rounds of renewals that the store could not answer");
        this.acquisition = timer("acquisition_duration", "From a request to its answer, waiting included", ACQUISITION);
        this.hold = timer("hold_duration", "From a grant to its end", HOLD);
        REASONS_OF_LOSS.forEach(this::losses);
    }

    static void checkPrefix(String service) {
        if (!PREFIX.matcher(service).matches()) {
            throw new IllegalArgumentException(
                    "The prefix of a service is made of a to z, 0 to 9 and single underscores"
                            + " and begins with a letter, not '" + service + "'.");
        }
    }

    @Override
    public void saw(LockEvent event) {
        switch (event) {
            case LockEvent.Attempted attempted -> attempts.increment();
            case LockEvent.Granted(var name, Duration took) -> granted(took);
            case LockEvent.Refused(var name, Refusal refusal, Duration took) -> failed(reason(refusal), took);
            case LockEvent.Unanswered(var name, Duration took) -> failed(apiErrors, took);
            case LockEvent.Abandoned(var name, Duration took) -> failed(cancelled, took);
            case LockEvent.Released(var name, Duration held) -> {
                releases.increment();
                hold.record(held);
            }
            case LockEvent.Lost(var name, Loss why, Duration held) -> {
                losses(reason(why)).increment();
                hold.record(held);
            }
            case LockEvent.Unrenewed store -> unrenewed.increment();
        }
    }

    /** A worker asks for any work, and only learns with the answer for which locks. */
    void claimed(Duration took) {
        attempts.increment();
        granted(took);
    }

    void unanswered(Duration took) {
        attempts.increment();
        failed(apiErrors, took);
    }

    /** Executions were refused or made to wait because their target is taken; no time was spent on its lock. */
    void contended(int executions) {
        attempts.increment(executions);
        contention.increment(executions);
    }

    private void granted(Duration took) {
        successes.increment();
        acquisition.record(took);
    }

    private void failed(Counter reason, Duration took) {
        reason.increment();
        acquisition.record(took);
    }

    private Counter reason(Refusal refusal) {
        return switch (refusal) {
            case Refusal.Busy busy -> contention;
            case Refusal.Cooling cooling -> contention;
            case Refusal.QueueFull full -> contention;
            case Refusal.WaitedTooLong late -> contention;
            case Refusal.Cancelled byAPerson -> cancelled;
        };
    }

    private static String reason(Loss loss) {
        return switch (loss) {
            case Loss.Cause cause -> cause.name().toLowerCase(Locale.ROOT);
            case Loss.ForcedBy person -> FORCED;
        };
    }

    private Counter counter(String name, String description) {
        return Counter.builder(prefix + name).description(description).register(registry);
    }

    private Counter failures(String reason) {
        return Counter.builder(prefix + "acquisition_failures")
                .description("Requests that were not granted")
                .tag("reason", reason)
                .register(registry);
    }

    private Counter losses(String reason) {
        return Counter.builder(prefix + "losses")
                .description("Grants that ended without being given back")
                .tag("reason", reason)
                .register(registry);
    }

    private Timer timer(String name, String description, Duration... edges) {
        return Timer.builder(prefix + name)
                .description(description)
                .serviceLevelObjectives(edges)
                .register(registry);
    }

    static Duration[] edges(long... millis) {
        return Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }
}
