package dev.interlock.core.work;

import dev.interlock.core.execution.Transition;
import java.util.List;

/**
 * The answer to a list of ends.
 *
 * @param answers in the order of the ends
 * @param next what was next in line behind them, and may run now
 */
public record Finished(List<Transition> answers, List<Claimed> next) {
    public Finished {
        answers = List.copyOf(answers);
        next = List.copyOf(next);
    }
}
