package dev.interlock.core.admission;

import static dev.interlock.core.admission.Past.NOON;
import static dev.interlock.core.admission.Past.at;
import static dev.interlock.core.admission.Past.broken;
import static dev.interlock.core.admission.Past.brokenThenCancelled;
import static dev.interlock.core.admission.Past.brokenThenMalformed;
import static dev.interlock.core.admission.Past.brokenThenNotStarted;
import static dev.interlock.core.admission.Past.cancelledMidway;
import static dev.interlock.core.admission.Past.cancelledUnstarted;
import static dev.interlock.core.admission.Past.cleared;
import static dev.interlock.core.admission.Past.completed;
import static dev.interlock.core.admission.Past.lost;
import static dev.interlock.core.admission.Past.malformed;
import static dev.interlock.core.admission.Past.notStarted;
import static dev.interlock.core.admission.Past.pending;
import static dev.interlock.core.admission.Past.running;
import static dev.interlock.core.admission.Past.skipped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lock;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Clusters;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row of the table of rules with its boundaries, and judges with one fault each that the table must find out. */
class AdmissionTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** What is known, who asks, and what must be answered. */
    record Row(String name, Case of, String expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Builds the case of a row; an execution "me" asks for W on a free target at noon, under the remediation policy. */
    private static final class Scene {
        private final String name;
        private List<Execution> past = List.of();
        private Situation situation = Situation.FREE;
        private Policy policy = Policy.REMEDIATION;
        private String workflow = "W";
        private Instant now = NOON;
        private Instant submitted = NOON;

        Scene(String name) {
            this.name = name;
        }

        Scene past(Execution... executions) {
            past = List.of(executions);
            return this;
        }

        Scene lock(Lock lock) {
            situation = situation.withLock(lock);
            return this;
        }

        Scene open(Execution... executions) {
            situation = situation.withOpen(
                    Arrays.stream(executions).map(Situation.Open::of).toList());
            return this;
        }

        Scene resource(String state, String under) {
            situation = situation.withResource(new Resource(Clusters.cluster(), state, under));
            return this;
        }

        Scene policy(UnaryOperator<Policy> change) {
            policy = change.apply(policy);
            return this;
        }

        Scene plain() {
            policy = Policy.PLAIN;
            return this;
        }

        Scene asks(String other) {
            workflow = other;
            return this;
        }

        Scene submitted(Instant instant) {
            submitted = instant;
            return this;
        }

        Scene at(Instant instant) {
            now = instant;
            return this;
        }

        Row is(String expected) {
            Request request = Request.of(workflow, "prod/c1", Map.of(), "alice");
            Candidate candidate = new Candidate("me", 1, request, submitted);
            return new Row(name, new Case(candidate, History.of(past), situation, policy, now), expected);
        }
    }

    private static Scene when(String name) {
        return new Scene(name);
    }

    private static UnaryOperator<Policy> backoff(UnaryOperator<Backoff> change) {
        return policy -> policy.withBackoff(change.apply(Backoff.DEFAULT));
    }

    private static Execution[] failures(int many, long lastEnd) {
        return Stream.iterate(many, left -> left > 0, left -> left - 1)
                .map(left -> notStarted("f" + (many - left + 1), "W", lastEnd - (left - 1) * 10L))
                .toArray(Execution[]::new);
    }

    private static Execution[] with(Execution[] first, Execution... more) {
        return Stream.concat(Arrays.stream(first), Arrays.stream(more)).toArray(Execution[]::new);
    }

    private static Instant afterBackoff(int failures, long lastEnd) {
        return at(lastEnd).plus(Backoff.DEFAULT.delay(failures, "f" + failures));
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        rows.add(when("nothing ever happened").is("Admitted"));
        rows.addAll(states());
        rows.addAll(blocks());
        rows.addAll(exhaustion());
        rows.addAll(backoffs());
        rows.addAll(cooldowns());
        rows.addAll(holds());
        rows.addAll(busy());
        return rows;
    }

    private static List<Row> states() {
        return List.of(
                when("the state allows it")
                        .resource("READY", null)
                        .asks("SCALE_WORKERS")
                        .is("Admitted"),
                when("the state does not allow it")
                        .resource("SCALING", "other")
                        .asks("SCALE_WORKERS")
                        .is("InvalidState SCALING ON_CHANGE"),
                when("its own earlier attempt left it there")
                        .resource("CREATING", "me")
                        .asks("CREATE")
                        .is("Admitted"),
                when("another's attempt left it there")
                        .resource("CREATING", "other")
                        .asks("CREATE")
                        .is("InvalidState CREATING ON_CHANGE"),
                when("a plain policy asks for the state as well")
                        .plain()
                        .resource("PENDING", null)
                        .asks("DESTROY")
                        .is("InvalidState PENDING ON_CHANGE"),
                when("the lifecycle has no such workflow")
                        .resource("READY", null)
                        .asks("UPGRADE")
                        .is("InvalidSpec NEVER"));
    }

    private static List<Row> blocks() {
        return List.of(
                when("a failure in the middle blocks")
                        .past(broken("b", "W", -9999))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("a lost runner blocks").past(lost("l", "W", -9999)).is("PreviousExecutionFailed l NEEDS_REVIEW"),
                when("a cancellation in the middle blocks")
                        .past(cancelledMidway("c", "W", -9999))
                        .is("PreviousExecutionFailed c NEEDS_REVIEW"),
                when("a cancellation before the work leaves no mark")
                        .past(cancelledUnstarted("c", "W", -1))
                        .is("Admitted"),
                when("a retry that did not start does not hide what broke before")
                        .past(brokenThenNotStarted("b", "W", -9999))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("nor does a request that turns out malformed before its second attempt")
                        .past(brokenThenMalformed("b", "W", -9999))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("nor one that is cancelled before its second attempt")
                        .past(brokenThenCancelled("b", "W", -9999))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("the newest of several failures is named")
                        .past(broken("b1", "W", -9999), broken("b2", "W", -999))
                        .is("PreviousExecutionFailed b2 NEEDS_REVIEW"),
                when("a later success of another workflow does not clear it")
                        .past(broken("b", "W", -9999), completed("c", "V", -999))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("a skipped request does not hide it")
                        .past(broken("b", "W", -9999), skipped("s", "W", -9))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("a malformed request does not hide it")
                        .past(broken("b", "W", -9999), malformed("m", "W", -9))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("a failure before the work began does not hide it")
                        .past(broken("b", "W", -9999), notStarted("n", "W", -9998))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("a person has cleared it")
                        .past(cleared(broken("b", "W", -9999)))
                        .is("Admitted"),
                when("a clearing covers no later failure")
                        .past(cleared(broken("b1", "W", -9999)), broken("b2", "W", -999))
                        .is("PreviousExecutionFailed b2 NEEDS_REVIEW"),
                when("a clearing covers no earlier failure")
                        .past(broken("b1", "W", -9999), cleared(broken("b2", "W", -999)))
                        .is("PreviousExecutionFailed b1 NEEDS_REVIEW"),
                when("another workflow's failure blocks the target")
                        .past(broken("b", "V", -9999))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("another workflow's failure does not block this workflow")
                        .past(broken("b", "V", -9999))
                        .policy(it -> it.withBlock(Scope.WORKFLOW))
                        .is("Admitted"),
                when("this workflow's failure does")
                        .past(broken("b", "W", -9999), broken("v", "V", -99))
                        .policy(it -> it.withBlock(Scope.WORKFLOW))
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("under a plain policy nothing blocks")
                        .plain()
                        .past(lost("l", "W", -1))
                        .is("Admitted"),
                when("a recovery is not held back")
                        .past(broken("b", "CREATE", -9999))
                        .resource("FAILED", null)
                        .asks("DESTROY")
                        .is("Admitted"),
                when("nor is its second attempt")
                        .past(broken("b", "CREATE", -9999))
                        .resource("DESTROYING", "me")
                        .asks("DESTROY")
                        .is("Admitted"),
                when("nor after a failed recovery")
                        .past(broken("b", "CREATE", -9999), broken("d", "DESTROY", -999))
                        .resource("FAILED", null)
                        .asks("DESTROY")
                        .is("Admitted"),
                when("nor after the failure of a workflow that the lifecycle has lost")
                        .past(broken("b", "UPGRADE", -9999))
                        .resource("FAILED", null)
                        .asks("DESTROY")
                        .is("Admitted"),
                when("what is no recovery stays blocked")
                        .past(broken("b", "SCALE_WORKERS", -9999))
                        .resource("READY", null)
                        .asks("SCALE_WORKERS")
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("the success of a recovery clears what failed before")
                        .past(broken("b", "CREATE", -9999), completed("d", "DESTROY", -999))
                        .resource("PENDING", null)
                        .asks("CREATE")
                        .is("Admitted"),
                when("but not what failed after it")
                        .past(completed("d", "DESTROY", -9999), broken("b", "CREATE", -999))
                        .resource("PENDING", null)
                        .asks("CREATE")
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"),
                when("the success of what is no recovery clears nothing")
                        .past(broken("b", "CREATE", -9999), completed("s", "SCALE_WORKERS", -999))
                        .resource("PENDING", null)
                        .asks("CREATE")
                        .is("PreviousExecutionFailed b NEEDS_REVIEW"));
    }

    private static List<Row> exhaustion() {
        return List.of(
                when("four in a row may go on").past(failures(4, -3500)).is("Admitted"),
                when("five in a row may not").past(failures(5, -3500)).is("ExhaustedRetries f5 2026-11-16T12:01:40Z"),
                when("one may probe after an hour")
                        .past(failures(5, 0))
                        .at(NOON.plus(HOUR))
                        .is("Admitted"),
                when("but not sooner")
                        .past(failures(5, 0))
                        .at(NOON.plus(HOUR).minusNanos(1))
                        .is("ExhaustedRetries f5 2026-11-16T13:00:00Z"),
                when("a probe that failed is the last for another hour")
                        .past(failures(6, 3601))
                        .at(NOON.plus(HOUR).plusSeconds(1800))
                        .is("ExhaustedRetries f6 2026-11-16T14:00:01Z"),
                when("while one probes, nobody else does")
                        .past(failures(5, 0))
                        .at(NOON.plus(HOUR))
                        .submitted(NOON.plus(HOUR))
                        .open(running("probe", "W", 3600))
                        .is("ResourceBusy probe ON_CHANGE"),
                when("a probe that succeeded opens the target")
                        .past(with(failures(5, 0), completed("probe", "W", 3600)))
                        .at(NOON.plus(HOUR).plusSeconds(300))
                        .is("Admitted"),
                when("without a probe only a person opens it")
                        .past(failures(5, -99_999))
                        .policy(backoff(it -> it.withProbeAfter(null)))
                        .is("ExhaustedRetries f5 NEEDS_REVIEW"),
                when("the limit is a setting")
                        .past(failures(2, -3500))
                        .policy(backoff(it -> it.withLimit(2)))
                        .is("ExhaustedRetries f2 2026-11-16T12:01:40Z"),
                when("a success resets the count")
                        .past(with(failures(4, -4000), completed("c", "W", -3900), notStarted("g", "W", -3500)))
                        .is("Admitted"),
                when("any workflow's success does, if the target's past counts")
                        .past(with(failures(4, -4000), completed("c", "V", -3900), notStarted("g", "W", -3500)))
                        .is("Admitted"),
                when("another workflow's does not, if only this one's past counts")
                        .past(with(failures(4, -4000), completed("c", "V", -3900), notStarted("g", "W", -3500)))
                        .policy(it -> it.withBlock(Scope.WORKFLOW))
                        .is("ExhaustedRetries g 2026-11-16T12:01:40Z"),
                when("a success at the same instant does not reset what failed then")
                        .past(with(failures(1, -1), completed("z", "V", -1)))
                        .is("RecentlyRemediated (backoff) f1 " + afterBackoff(1, -1)),
                when("a failure in the middle neither counts nor resets")
                        .past(with(failures(4, -4000), cleared(broken("b", "W", -3900)), notStarted("g", "W", -3500)))
                        .is("ExhaustedRetries g 2026-11-16T12:01:40Z"),
                when("four and one in the middle are four")
                        .past(with(failures(4, -3600), cleared(broken("b", "W", -3500))))
                        .is("Admitted"),
                when("malformed and skipped requests neither count nor reset")
                        .past(with(failures(4, -3600), malformed("m", "W", -3500), skipped("s", "W", -3400)))
                        .is("Admitted"),
                when("five stay five behind a malformed request")
                        .past(with(failures(5, -3500), malformed("m", "W", -100)))
                        .is("ExhaustedRetries f5 2026-11-16T12:01:40Z"),
                when("a person clears the last of them")
                        .past(with(failures(4, -110), cleared(notStarted("g", "W", -100))))
                        .is("Admitted"),
                when("what fails after the clearing counts from one")
                        .past(with(
                                failures(4, -4000), cleared(notStarted("g", "W", -3900)), notStarted("h", "W", -3500)))
                        .is("Admitted"),
                when("under a plain policy any number may fail")
                        .plain()
                        .past(failures(9, -1))
                        .is("Admitted"));
    }

    private static List<Row> backoffs() {
        List<Row> rows = new ArrayList<>();
        for (int failures = 1; failures <= 6; failures++) {
            Instant until = afterBackoff(failures, 0);
            Execution[] past = failures(failures, 0);
            rows.add(when("just before the end of backoff " + failures)
                    .past(past)
                    .policy(backoff(it -> it.withLimit(99)))
                    .at(until.minusNanos(1))
                    .is("RecentlyRemediated (backoff) f" + failures + " " + until));
            rows.add(when("exactly at the end of backoff " + failures)
                    .past(past)
                    .policy(backoff(it -> it.withLimit(99)))
                    .at(until)
                    .is("Admitted"));
        }
        rows.add(when("a malformed request does not hide the backoff")
                .past(notStarted("f1", "W", -1), malformed("m", "W", 0))
                .is("RecentlyRemediated (backoff) f1 " + afterBackoff(1, -1)));
        rows.add(when("nor does it lengthen it")
                .past(notStarted("f1", "W", -67), malformed("m", "W", -1))
                .is("Admitted"));
        rows.add(when("nor does a cancellation or a skip")
                .past(notStarted("f1", "W", -2), cancelledUnstarted("c", "W", -1), skipped("s", "W", 0))
                .is("RecentlyRemediated (backoff) f1 " + afterBackoff(1, -2)));
        rows.add(when("a success ends it")
                .past(notStarted("f1", "W", -2), completed("c", "V", -1))
                .is("Admitted"));
        rows.add(when("another workflow's failure keeps the target back")
                .past(notStarted("f1", "V", -1))
                .is("RecentlyRemediated (backoff) f1 " + afterBackoff(1, -1)));
        rows.add(when("but not this workflow, if only its own past counts")
                .past(notStarted("f1", "V", -1))
                .policy(it -> it.withBlock(Scope.WORKFLOW))
                .is("Admitted"));
        rows.add(when("a person has cleared the failure")
                .past(cleared(notStarted("f1", "W", -1)))
                .is("Admitted"));
        rows.add(when("there is no backoff under a plain policy")
                .plain()
                .past(notStarted("f1", "W", 0))
                .is("Admitted"));
        rows.add(when("unless the workflow sets one")
                .plain()
                .policy(it -> it.withBackoff(Backoff.DEFAULT))
                .past(notStarted("f1", "W", 0))
                .is("RecentlyRemediated (backoff) f1 " + afterBackoff(1, 0)));
        return rows;
    }

    private static List<Row> cooldowns() {
        return List.of(
                when("just before the end of the cooldown")
                        .past(completed("c", "W", -300))
                        .at(NOON.minusNanos(1))
                        .is("RecentlyRemediated (cooldown) c 2026-11-16T12:00:00Z"),
                when("exactly at the end of the cooldown")
                        .past(completed("c", "W", -300))
                        .is("Admitted"),
                when("the newest success counts")
                        .past(completed("c1", "W", -400), completed("c2", "W", -200))
                        .is("RecentlyRemediated (cooldown) c2 2026-11-16T12:01:40Z"),
                when("another workflow's success does not")
                        .past(completed("c", "V", -1))
                        .is("Admitted"),
                when("nor does it hide this one's")
                        .past(completed("c", "W", -100), completed("d", "V", -1))
                        .is("RecentlyRemediated (cooldown) c 2026-11-16T12:03:20Z"),
                when("it does where the target cools")
                        .past(completed("c", "V", -100))
                        .policy(it -> it.withCooldown(Duration.ofMinutes(5), Scope.TARGET))
                        .is("RecentlyRemediated (cooldown) c 2026-11-16T12:03:20Z"),
                when("a failure is followed by no cooldown")
                        .past(cleared(broken("b", "W", -1)))
                        .is("Admitted"),
                when("a skipped request neither").past(skipped("s", "W", -1)).is("Admitted"),
                when("there is no cooldown under a plain policy")
                        .plain()
                        .past(completed("c", "W", -1))
                        .is("Admitted"),
                when("unless the workflow sets one")
                        .plain()
                        .policy(it -> it.withCooldown(Duration.ofSeconds(10), Scope.WORKFLOW))
                        .past(completed("c", "W", -1))
                        .is("RecentlyRemediated (cooldown) c 2026-11-16T12:00:09Z"));
    }

    private static List<Row> holds() {
        return List.of(
                when("a person holds the target").lock(Locks.hold()).is("Frozen 2026-11-16T12:30:00Z"),
                when("a plain policy respects it as well")
                        .plain()
                        .lock(Locks.hold())
                        .is("Frozen 2026-11-16T12:30:00Z"),
                when("a hold that is over holds nothing").lock(Locks.pastHold()).is("Admitted"));
    }

    private static List<Row> busy() {
        return List.of(
                when("another execution holds the lock")
                        .lock(Locks.heldBy("other", 1))
                        .is("ResourceBusy ON_CHANGE"),
                when("under a plain policy too")
                        .plain()
                        .lock(Locks.heldBy("other", 1))
                        .is("ResourceBusy ON_CHANGE"),
                when("it holds the lock itself").lock(Locks.heldBy("me", 1)).is("Admitted"),
                when("an earlier attempt of its own holds it")
                        .lock(Locks.heldBy("me", 2))
                        .is("ResourceBusy ON_CHANGE"),
                when("its own lock is being taken from it")
                        .lock(Locks.releasing("me"))
                        .is("ResourceBusy ON_CHANGE"),
                when("the lock is on its way to the next")
                        .lock(Locks.releasing("other"))
                        .is("ResourceBusy ON_CHANGE"),
                when("the lease of the holder has ended").lock(Locks.free(0)).is("Admitted"),
                when("somebody waits for the free lock").lock(Locks.free(2)).is("ResourceBusy ON_CHANGE"),
                when("just before the lock opens")
                        .lock(Locks.closed(NOON))
                        .at(NOON.minusNanos(1))
                        .is("ResourceBusy 2026-11-16T12:00:00Z"),
                when("exactly when the lock opens").lock(Locks.closed(NOON)).is("Admitted"),
                when("an older execution is ahead")
                        .open(pending("other", "V", -1))
                        .is("ResourceBusy other ON_CHANGE"),
                when("the oldest ahead is named")
                        .open(pending("b", "V", -1), pending("a", "V", -2))
                        .is("ResourceBusy a ON_CHANGE"),
                when("of the same instant the smaller id is ahead")
                        .open(pending("lesser", "V", 0))
                        .is("ResourceBusy lesser ON_CHANGE"),
                when("the greater id is not").open(pending("more", "V", 0)).is("Admitted"),
                when("a younger execution is behind").open(pending("a", "V", 1)).is("Admitted"),
                when("it is not in its own way").open(pending("me", "W", 0)).is("Admitted"),
                when("one that runs without a lock is in the way, however young")
                        .open(running("other", "V", 99))
                        .is("ResourceBusy other ON_CHANGE"));
    }

    private static String told(Admission admission) {
        return switch (admission) {
            case Admission.Admitted admitted -> "Admitted";
            case Admission.Refused(Reason reason) -> reason.rule().label() + evidence(reason) + " " + ends(reason);
        };
    }

    private static String evidence(Reason reason) {
        return switch (reason) {
            case Reason.InvalidState state -> " " + state.state();
            case Reason.NameTaken taken -> " " + taken.other();
            case Reason.PreviousExecutionFailed failed -> " " + failed.last().execution();
            case Reason.ExhaustedRetries exhausted -> " " + exhausted.last().execution();
            case Reason.BackingOff backingOff -> " " + backingOff.last().execution();
            case Reason.CoolingDown cooling -> " " + cooling.last().execution();
            case Reason.Ahead ahead -> " " + ahead.first().execution();
            case Reason.InvalidSpec spec -> "";
            case Reason.Frozen frozen -> "";
            case Reason.Locked locked -> "";
            case Reason.Closed closed -> "";
        };
    }

    private static String ends(Reason reason) {
        return switch (reason.ends()) {
            case Ends.At(Instant instant) -> instant.toString();
            case Ends.Otherwise other -> other.name();
        };
    }

    @ParameterizedTest
    @MethodSource("rows")
    void each_row_of_the_table_is_decided_as_it_says(Row row) {
        assertThat(told(row.of().decide())).isEqualTo(row.expected());
    }

    @Test
    void whoever_only_asks_comes_last() {
        Candidate curious = Candidate.whatIf(Request.of("W", "prod/c1", Map.of(), "alice"), NOON);
        Situation line = Situation.FREE.withOpen(List.of(Situation.Open.of(pending("zzz", "V", 0))));

        assertThat(told(new Case(curious, History.NONE, line, Policy.PLAIN, NOON).decide()))
                .isEqualTo("ResourceBusy zzz ON_CHANGE");
    }

    @Test
    void an_execution_asks_for_its_next_attempt() {
        assertThat(Candidate.of(pending("me", "W", 0)).attempt()).isEqualTo(1);
        assertThat(Candidate.of(brokenThenNotStarted("me", "W", 0)).attempt()).isEqualTo(3);
    }

    /** A judge with one fault: it looks at another case than the one it was given. */
    private static List<String> misjudged(Function<Case, Case> fault) {
        return rows().stream()
                .filter(row -> !told(fault.apply(row.of()).decide()).equals(row.expected()))
                .map(Row::name)
                .toList();
    }

    private static Function<Case, Case> seeing(Function<History, History> eyes) {
        return of -> new Case(of.candidate(), eyes.apply(of.history()), of.situation(), of.policy(), of.now());
    }

    private static Function<Case, Case> under(UnaryOperator<Policy> change) {
        return of -> new Case(of.candidate(), of.history(), of.situation(), change.apply(of.policy()), of.now());
    }

    private static Function<Case, Case> standing(UnaryOperator<Situation> change) {
        return of -> new Case(of.candidate(), of.history(), change.apply(of.situation()), of.policy(), of.now());
    }

    private static Function<Case, Case> later(long nanos) {
        return of -> new Case(
                of.candidate(),
                of.history(),
                of.situation(),
                of.policy(),
                of.now().plusNanos(nanos));
    }

    private static History.Entry as(History.Entry entry, FailureKind failure, boolean cleared) {
        return new History.Entry(
                entry.execution(),
                entry.workflow(),
                entry.requester(),
                entry.endedAt(),
                failure,
                entry.message(),
                cleared);
    }

    private static Function<Case, Case> mistaking(UnaryOperator<History.Entry> mistake) {
        return seeing(
                history -> new History(history.entries().stream().map(mistake).toList()));
    }

    private static History newest(History history) {
        List<History.Entry> all = history.entries();
        return all.isEmpty() ? history : new History(List.of(all.get(all.size() - 1)));
    }

    private static History clearedAll(History history) {
        boolean any = history.entries().stream().anyMatch(History.Entry::cleared);
        return new History(history.entries().stream()
                .map(entry -> as(entry, entry.failure(), any))
                .toList());
    }

    private static Policy scopes(Policy policy, Scope cooldown, Scope block) {
        return policy.withCooldown(policy.cooldown(), cooldown).withBlock(policy.block() == null ? null : block);
    }

    @Test
    void a_judge_with_one_fault_is_caught() {
        assertThat(misjudged(of -> of)).isEmpty();

        assertThat(misjudged(seeing(AdmissionTest::newest)))
                .contains("a failure before the work began does not hide it", "five in a row may not");
        assertThat(misjudged(seeing(AdmissionTest::clearedAll)))
                .contains("a clearing covers no later failure", "a clearing covers no earlier failure");
        assertThat(misjudged(mistaking(entry -> as(entry, entry.failure(), false))))
                .contains("a person has cleared it", "a person clears the last of them");
        assertThat(misjudged(mistaking(
                        entry -> as(entry, entry.failure() == null ? null : FailureKind.STARTED, entry.cleared()))))
                .contains("four in a row may go on");
        assertThat(misjudged(mistaking(
                        entry -> as(entry, entry.failure() == null ? null : FailureKind.NOT_STARTED, entry.cleared()))))
                .contains("a lost runner blocks", "a failure in the middle neither counts nor resets");
        assertThat(misjudged(later(1)))
                .contains(
                        "just before the end of the cooldown",
                        "just before the end of backoff 1",
                        "but not sooner",
                        "just before the lock opens");
        assertThat(misjudged(later(-1)))
                .contains(
                        "exactly at the end of the cooldown",
                        "exactly at the end of backoff 6",
                        "one may probe after an hour",
                        "exactly when the lock opens");
        assertThat(misjudged(under(it -> scopes(it, Scope.TARGET, it.block()))))
                .contains("another workflow's success does not");
        assertThat(misjudged(under(it -> scopes(it, it.cooldownScope(), Scope.TARGET))))
                .contains("another workflow's failure does not block this workflow");
        assertThat(misjudged(under(it -> scopes(it, it.cooldownScope(), Scope.WORKFLOW))))
                .contains("another workflow's failure blocks the target");
        assertThat(misjudged(under(it -> it.withBackoff(
                        it.backoff() == null ? null : it.backoff().withProbeAfter(null)))))
                .contains("one may probe after an hour");
        assertThat(misjudged(under(it -> Policy.REMEDIATION))).contains("under a plain policy nothing blocks");
        assertThat(misjudged(standing(it -> it.withResource(null)))).contains("a recovery is not held back");
        assertThat(misjudged(standing(it -> it.withLock(null)))).contains("a person holds the target");
        assertThat(misjudged(standing(it -> it.withOpen(List.of())))).contains("while one probes, nobody else does");
    }

    /** As a reader of history would who takes every failure for one of the target's. */
    @Test
    void a_history_that_a_malformed_request_enters_is_caught() {
        History right = History.of(List.of(notStarted("f1", "W", -67), malformed("m", "W", -1)));
        History.Entry intruder =
                new History.Entry("m", "W", "alice", at(-1), FailureKind.NOT_STARTED, "malformed", false);
        History wrong = new History(
                Stream.concat(right.entries().stream(), Stream.of(intruder)).toList());
        Candidate candidate = Candidate.of(pending("me", "W", 0));

        assertThat(right.entries()).extracting(History.Entry::execution).containsExactly("f1");
        assertThat(told(new Case(candidate, right, Situation.FREE, Policy.REMEDIATION, NOON).decide()))
                .isEqualTo("Admitted");
        assertThat(told(new Case(candidate, wrong, Situation.FREE, Policy.REMEDIATION, NOON).decide()))
                .startsWith("RecentlyRemediated (backoff) m");
    }

    @Test
    void the_order_of_the_records_does_not_matter() {
        for (Row row : rows()) {
            List<History.Entry> reversed = row.of().history().entries().reversed();
            Case shuffled = seeing(history -> new History(reversed)).apply(row.of());

            assertThat(told(shuffled.decide())).as(row.name()).isEqualTo(row.expected());
        }
    }

    @Test
    void asking_twice_gives_the_same_answer() {
        for (Row row : rows()) {
            assertThat(row.of().decide()).isEqualTo(row.of().decide());
            assertThat(row.of().explain()).isEqualTo(row.of().explain());
        }
    }
}
