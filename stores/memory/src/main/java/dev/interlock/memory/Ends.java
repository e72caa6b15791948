package dev.interlock.memory;

import dev.interlock.core.admission.Consequence;
import dev.interlock.core.admission.Reason;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Transition;
import java.time.Instant;
import java.util.Optional;

/** How admission ends an execution that has not begun. */
final class Ends {
    private Ends() {}

    static Optional<Transition> refusal(Consequence consequence, Execution execution, Instant now) {
        return switch (consequence) {
            case Consequence.Start start -> Optional.empty();
            case Consequence.Wait wait -> Optional.empty();
            case Consequence.Skip(Reason reason) ->
                Optional.of(execution.skip(new Ending.Skipped(
                        now,
                        reason.rule().code(),
                        reason.sentence(),
                        reason.ends().instant())));
            case Consequence.Fail(Reason reason) ->
                Optional.of(execution.reject(now, reason.rule().code(), reason.sentence()));
        };
    }
}
