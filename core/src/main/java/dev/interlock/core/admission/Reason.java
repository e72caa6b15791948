package dev.interlock.core.admission;

import static dev.interlock.core.Wording.quoted;
import static dev.interlock.core.Wording.spoken;

import dev.interlock.core.Lock;
import dev.interlock.core.Wording;
import dev.interlock.core.execution.FailureKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why an execution may not start: the evidence, when it ends, and the sentence, which is written here once and shown by
 * every surface.
 */
public sealed interface Reason {
    Asked asked();

    /** What was asked for, and when; the time decides how other times are told. */
    record Asked(String target, String workflow, Instant at) {}

    record InvalidSpec(Asked asked, List<String> faults) implements Reason {}

    /**
     * The lifecycle does not allow it.
     *
     * @param under the execution in whose hands the resource is; null when it is in none
     */
    record InvalidState(
            Asked asked,
            String state,
            List<String> from,
            @Nullable String under) implements Reason {}

    /** The resource gave its name back, another one has taken it, and to start would take it again. */
    record NameTaken(Asked asked, String state, String other) implements Reason {}

    /**
     * A failure waits for a person.
     *
     * @param uncleared how many do, this one among them
     */
    record PreviousExecutionFailed(Asked asked, History.Entry last, int uncleared) implements Reason {}

    /**
     * Too many failed in a row.
     *
     * @param probeAt when one may try all the same; null when only a person opens the target
     */
    record ExhaustedRetries(
            Asked asked,
            History.Entry last,
            int failures,
            @Nullable Instant probeAt) implements Reason {}

    record BackingOff(Asked asked, History.Entry last, int failures, Instant until) implements Reason {}

    record CoolingDown(Asked asked, History.Entry last, Instant until) implements Reason {}

    record Frozen(Asked asked, Lock hold) implements Reason {}

    /** Somebody holds the target, or waits for its lock. */
    record Locked(Asked asked, Lock lock) implements Reason {}

    /** Nobody holds the target, but its lock is closed for a while after its last end. */
    record Closed(Asked asked, Lock lock, Instant until) implements Reason {}

    /**
     * Another execution runs, or is ahead in line.
     *
     * @param ahead how many are, this one among them
     */
    record Ahead(Asked asked, Situation.Open first, int ahead) implements Reason {}

    default Rule rule() {
        return switch (this) {
            case InvalidSpec reason -> Rule.INVALID_SPEC;
            case InvalidState reason -> Rule.INVALID_STATE;
            case NameTaken reason -> Rule.INVALID_STATE;
            case PreviousExecutionFailed reason -> Rule.PREVIOUS_EXECUTION_FAILED;
            case ExhaustedRetries reason -> Rule.EXHAUSTED_RETRIES;
            case BackingOff reason -> Rule.BACKOFF;
            case CoolingDown reason -> Rule.COOLDOWN;
            case Frozen reason -> Rule.FROZEN;
            case Locked reason -> Rule.RESOURCE_BUSY;
            case Closed reason -> Rule.RESOURCE_BUSY;
            case Ahead reason -> Rule.RESOURCE_BUSY;
        };
    }

    default Ends ends() {
        return switch (this) {
            case InvalidSpec reason -> Ends.Otherwise.NEVER;
            case PreviousExecutionFailed reason -> Ends.Otherwise.NEEDS_REVIEW;
            case ExhaustedRetries reason ->
                reason.probeAt() == null ? Ends.Otherwise.NEEDS_REVIEW : new Ends.At(reason.probeAt());
            case BackingOff reason -> new Ends.At(reason.until());
            case CoolingDown reason -> new Ends.At(reason.until());
            case Closed reason -> new Ends.At(reason.until());
            case Frozen reason -> new Ends.At(reason.hold().grant().expiresAt());
            // A lease that is renewed has no end to tell.
            case InvalidState reason -> Ends.Otherwise.ON_CHANGE;
            case NameTaken reason -> Ends.Otherwise.ON_CHANGE;
            case Locked reason -> Ends.Otherwise.ON_CHANGE;
            case Ahead reason -> Ends.Otherwise.ON_CHANGE;
        };
    }

    /** What happened, who, until when, what now. */
    default String sentence() {
        String target = asked().target();
        return switch (this) {
            case InvalidSpec(Asked asked, List<String> faults) ->
                "Refused: the request is malformed. " + String.join(" ", faults) + " Correct it and submit it again.";
            case InvalidState(Asked asked, String state, List<String> from, @Nullable String under) ->
                "Blocked: '%s' is %s%s, and %s starts only from %s. Wait until its state has changed, or see: interlock why %s"
                        .formatted(
                                target,
                                state,
                                under == null ? "" : " under execution " + under,
                                asked.workflow(),
                                String.join(" or ", from),
                                quoted(target));
            case NameTaken(Asked asked, String state, String other) ->
                "Blocked: '%s' is %s and has given its name back; resource '%s' has taken it. %s may start when that one gives it back. See: interlock resources show %s"
                        .formatted(target, state, other, asked.workflow(), quoted(other));
            case PreviousExecutionFailed(Asked asked, History.Entry last, int uncleared) ->
                "Blocked: execution %s (%s for %s) %s on '%s' at %s%s%s. See what it left there, then: interlock targets clear %s --reason '...'"
                        .formatted(
                                last.execution(),
                                last.workflow(),
                                last.requester(),
                                last.failure() == FailureKind.UNKNOWN
                                        ? "was lost in the middle of its work"
                                        : "failed in the middle of its work",
                                target,
                                time(last.endedAt()),
                                because(last),
                                uncleared == 1 ? "" : "; " + uncleared + " such failures are not cleared",
                                quoted(target));
            case ExhaustedRetries(Asked asked, History.Entry last, int failures, @Nullable Instant probeAt) ->
                "Blocked: %s. %s, then: interlock targets clear %s --reason '...'"
                        .formatted(
                                inARow(last, failures),
                                probeAt == null
                                        ? "Remove the cause"
                                        : "One may try again from " + time(probeAt) + ", or remove the cause",
                                quoted(target));
            case BackingOff(Asked asked, History.Entry last, int failures, Instant until) ->
                "Blocked: %s. The next may start from %s; see: interlock why %s"
                        .formatted(inARow(last, failures), time(until), quoted(target));
            case CoolingDown(Asked asked, History.Entry last, Instant until) ->
                "Blocked: %s completed on '%s' at %s (execution %s), which is followed by a cooldown of %s. %s may start from %s; see: interlock why %s"
                        .formatted(
                                last.workflow(),
                                target,
                                time(last.endedAt()),
                                last.execution(),
                                spoken(Duration.between(last.endedAt(), until)),
                                asked.workflow(),
                                time(until),
                                quoted(target));
            case Frozen(Asked asked, Lock hold) ->
                "Blocked: %s. Wait for its end, or see: interlock why %s".formatted(Wording.held(hold), quoted(target));
            case Locked(Asked asked, Lock lock) ->
                "Blocked: %s. Wait in line with onBusy queue, or see: interlock why %s"
                        .formatted(Wording.held(lock), quoted(target));
            case Closed(Asked asked, Lock lock, Instant until) ->
                "Blocked: lock '%s' is closed until %s after execution %s (%s on %s) ended; token %d. Wait in line with onBusy queue, or see: interlock why %s"
                        .formatted(
                                lock.name(),
                                time(until),
                                lock.holder().execution(),
                                lock.holder().user(),
                                lock.holder().host(),
                                lock.token(),
                                quoted(target));
            case Ahead(Asked asked, Situation.Open first, int ahead) ->
                "Blocked: execution %s (%s for %s) of %s %s '%s'%s. Wait in line with onBusy queue, or see: interlock why %s"
                        .formatted(
                                first.execution(),
                                first.workflow(),
                                first.requester(),
                                time(first.submittedAt()),
                                first.running() ? "runs on" : "is ahead in the line for",
                                target,
                                ahead == 1 ? "" : ", and " + (ahead - 1) + " more",
                                quoted(target));
        };
    }

    private String inARow(History.Entry last, int failures) {
        String many = failures == 1
                ? "execution %s failed on '%s' before its work began, at %s%s"
                : failures
                        + " executions in a row failed on '%2$s' before their work began, the last, %1$s, at %3$s%4$s";
        return many.formatted(last.execution(), asked().target(), time(last.endedAt()), because(last));
    }

    private static String because(History.Entry last) {
        return last.message().isBlank() ? "" : ": " + Wording.line(last.message());
    }

    private String time(Instant instant) {
        return Wording.time(instant, asked().at());
    }
}
