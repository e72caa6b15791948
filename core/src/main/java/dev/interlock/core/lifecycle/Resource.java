package dev.interlock.core.lifecycle;

import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Word;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a resource stands in its lifecycle.
 *
 * @param under the execution in whose hands it is, from the start of its first attempt to its end; null otherwise
 */
public record Resource(
        Lifecycle lifecycle, String state, @Nullable String under) {
    public static Resource born(Lifecycle lifecycle) {
        return new Resource(lifecycle, lifecycle.initial(), null);
    }

    /** The answer to a verb that moves a resource. */
    public sealed interface Change {
        record Changed(Resource resource) implements Change {}

        /**
         * The resource stays as it is.
         *
         * @param from the states from which it would have been allowed
         */
        record NotAllowed(String state, List<String> from) implements Change {}
    }

    /** The execution takes the resource, or takes it again for another attempt. */
    public Change begin(String workflow, String execution) {
        Step step = known(workflow);
        if (!allows(workflow, execution)) {
            return new Change.NotAllowed(state, startsFrom(workflow));
        }
        return new Change.Changed(new Resource(lifecycle, step.during().text(), execution));
    }

    public Change succeed(String workflow, String execution) {
        return end(known(workflow), execution, known(workflow).onSuccess());
    }

    public Change fail(String workflow, String execution) {
        return end(known(workflow), execution, known(workflow).onFailure());
    }

    /** Whether the execution may do this now; what is in the hands of an execution is open to that one alone. */
    public boolean allows(String workflow, @Nullable String execution) {
        Step step = lifecycle.step(workflow);
        if (step == null) {
            return false;
        }
        if (under != null) {
            return under.equals(execution) && step.during().text().equals(state);
        }
        return step.startsFrom(state);
    }

    /** The name that it takes when the workflow begins; null when it takes none, or has it already. */
    public @Nullable List<String> nameTakenBy(String workflow, Map<String, String> fields) {
        Step step = lifecycle.step(workflow);
        return step == null || lifecycle.uniqueName(state, fields) != null
                ? null
                : lifecycle.uniqueName(step.during().text(), fields);
    }

    /** The states from which the workflow may start. */
    public List<String> startsFrom(String workflow) {
        return known(workflow).from().stream().map(Word::text).toList();
    }

    private Change end(Step step, String execution, Word next) {
        if (!execution.equals(under) || !step.during().text().equals(state)) {
            return new Change.NotAllowed(state, List.of(step.during().text()));
        }
        return new Change.Changed(new Resource(lifecycle, next.text(), null));
    }

    private Step known(String workflow) {
        return Objects.requireNonNull(lifecycle.step(workflow), () -> lifecycle.unknown(workflow));
    }
}
