package dev.interlock.core.admission;

import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Everything that a decision of admission goes by. The engine decides with it, and whoever asks why gets it explained
 * by the same code.
 *
 * @param policy the policy of the workflow that is asked for
 * @param faults what is malformed beyond what the request itself shows
 * @param now by the store's clock
 */
public record Case(
        Candidate candidate, History history, Situation situation, Policy policy, List<String> faults, Instant now) {

    public Case(Candidate candidate, History history, Situation situation, Policy policy, Instant now) {
        this(candidate, history, situation, policy, List.of(), now);
    }

    /** The case under what is declared for the workflow; one that nobody has declared is malformed. */
    public static Case of(Candidate candidate, History history, Situation situation, Catalogue catalogue, Instant now) {
        String name = candidate.request().workflow();
        Workflow workflow = catalogue.workflow(name, situation.resource());
        return workflow == null
                ? new Case(
                        candidate,
                        history,
                        situation,
                        Policy.PLAIN,
                        List.of(catalogue.unknown(name, situation.resource())),
                        now)
                : new Case(candidate, history, situation, workflow.policy(), now);
    }

    /** Admitted, or refused with the first reason in the order of the rules. */
    public Admission decide() {
        for (Rule rule : Rule.values()) {
            if (Rules.judge(rule, this) instanceof Ruling.Red(Reason reason)) {
                return new Admission.Refused(reason);
            }
        }
        return new Admission.Admitted();
    }

    /** Every rule, green or red. */
    public List<Ruling> explain() {
        return Stream.of(Rule.values()).map(rule -> Rules.judge(rule, this)).toList();
    }

    /** What becomes of the execution now. */
    public Consequence consequence() {
        return switch (decide()) {
            case Admission.Admitted admitted -> new Consequence.Start();
            case Admission.Refused(Reason reason) -> Consequence.of(reason, this);
        };
    }

    Reason.Asked asked() {
        return new Reason.Asked(
                candidate.request().target(), candidate.request().workflow(), now);
    }
}
