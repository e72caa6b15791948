package dev.interlock.cli;

import dev.interlock.cli.output.Data;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import dev.interlock.core.workflow.Workflow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Declarations as they are shown, with the words of the files in which they are written. */
final class DeclaredViews {
    private DeclaredViews() {}

    static Data.Fields data(Workflow workflow) {
        return rest(new Data.Fields().with("name", workflow.name()), workflow);
    }

    static Data.Fields data(Lifecycle lifecycle) {
        List<Data> steps = new ArrayList<>();
        for (Step step : lifecycle.declaration().steps()) {
            steps.add(data(step));
        }
        return new Data.Fields()
                .with("name", lifecycle.name())
                .with("states", words(lifecycle.declaration().states()))
                .with("initial", lifecycle.initial())
                .with("unique", data(lifecycle.declaration().unique()))
                .with("workflows", steps);
    }

    private static Data.Fields data(Step step) {
        Data.Fields fields = new Data.Fields()
                .with("name", step.name().text())
                .with("from", words(step.from()))
                .with("during", step.during().text())
                .with("onSuccess", step.onSuccess().text())
                .with("onFailure", step.onFailure().text());
        return rest(fields, step.workflow());
    }

    private static Data.@Nullable Fields data(@Nullable Unique unique) {
        return unique == null
                ? null
                : new Data.Fields().with("fields", words(unique.fields())).with("freeIn", words(unique.freeIn()));
    }

    private static Data.Fields rest(Data.Fields fields, Workflow workflow) {
        Policy policy = workflow.policy();
        return fields.with("command", texts(workflow.command()))
                .with("transientExits", numbers(workflow))
                .with("cooldown", policy.cooldown())
                .with("cooldownScope", word(policy.cooldownScope()))
                .with("block", word(policy.block()))
                .with("backoff", data(policy.backoff()))
                .with("retry", data(policy.retry()))
                .with("timeout", policy.timeout())
                .with("lease", policy.lease());
    }

    private static Data.@Nullable Fields data(@Nullable Backoff backoff) {
        return backoff == null
                ? null
                : new Data.Fields()
                        .with("base", backoff.base())
                        .with("max", backoff.max())
                        .with("limit", backoff.limit())
                        .with("probeAfter", backoff.probeAfter());
    }

    private static Data.Fields data(Retry retry) {
        return new Data.Fields()
                .with("attempts", retry.attempts())
                .with("first", retry.first())
                .with("longest", retry.longest())
                .with("afterLoss", retry.afterLoss());
    }

    private static @Nullable String word(@Nullable Scope scope) {
        return scope == null ? null : scope.name().toLowerCase(Locale.ROOT);
    }

    private static List<Data> numbers(Workflow workflow) {
        List<Data> numbers = new ArrayList<>();
        workflow.transientExits().stream()
                .sorted()
                .forEach(exit -> numbers.add(new Data.Numeral(BigDecimal.valueOf(exit))));
        return numbers;
    }

    private static List<Data> words(List<Word> words) {
        return texts(words.stream().map(Word::text).toList());
    }

    static List<Data> texts(List<String> words) {
        List<Data> texts = new ArrayList<>();
        for (String word : words) {
            texts.add(new Data.Text(word));
        }
        return texts;
    }

    static String join(List<Word> words) {
        return String.join(", ", words.stream().map(Word::text).toList());
    }

    /** As it could be pasted into a shell. */
    static String command(Workflow workflow) {
        return workflow.command().isEmpty()
                ? "(handler)"
                : String.join(
                        " ", workflow.command().stream().map(Shell::quoted).toList());
    }
}
