package dev.interlock.core.admission;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Everything that a decision of admission goes by. The engine decides with it, and whoever asks why gets it explained
 * by the same code.
 *
 * @param policy the policy of the workflow that is asked for
 * @param now by the store's clock
 */
public record Case(Candidate candidate, History history, Situation situation, Policy policy, Instant now) {
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
