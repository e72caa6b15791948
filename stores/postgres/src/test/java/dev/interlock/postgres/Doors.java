package dev.interlock.postgres;

import dev.interlock.core.execution.Retry;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import dev.interlock.core.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Declarations to publish: the lifecycle of a door, and a bell. */
final class Doors {
    /** Every value differs from every default. */
    static final Workflow RING = new Workflow(
            "ring",
            List.of("./ring.sh", "two words"),
            Set.of(75, 111),
            new Policy(
                    Duration.ofMinutes(7),
                    Scope.TARGET,
                    Scope.WORKFLOW,
                    new Backoff(Duration.ofSeconds(90), Duration.ofMinutes(8), 4, Duration.ofMinutes(55)),
                    new Retry(6, Duration.ofMillis(1500), Duration.ofDays(40), true),
                    Duration.ofHours(2),
                    Duration.ofMillis(20_250)));

    static final Unique BY_NAME = new Unique(words("name", "floor"), words("GONE"), 0);

    private Doors() {}

    static List<Word> words(String... texts) {
        return Stream.of(texts).map(Word::of).toList();
    }

    static Lifecycle door(Unique unique, String... moreStates) {
        Stream<String> states =
                Stream.concat(Stream.of("NEW", "MOVING", "SHUT", "JAMMED", "GONE"), Stream.of(moreStates));
        Stream<Step> remove =
                Stream.concat(Stream.of("GONE"), Stream.of(moreStates)).map(Doors::leadingTo);
        return new Lifecycle(new Declaration(
                Word.of("door"),
                states.map(Word::of).toList(),
                Word.of("NEW"),
                Stream.concat(Stream.of(step("SHUT", words("NEW", "JAMMED"), "SHUT", RING)), remove)
                        .toList(),
                unique));
    }

    private static Step leadingTo(String state) {
        return step("TO_" + state, words("SHUT", "JAMMED"), state, Workflow.plain("TO_" + state));
    }

    private static Step step(String name, List<Word> from, String onSuccess, Workflow like) {
        Workflow workflow = new Workflow(name, like.command(), like.transientExits(), like.policy());
        return new Step(Word.of(name), from, Word.of("MOVING"), Word.of(onSuccess), Word.of("JAMMED"), workflow);
    }

    static Catalogue only(Lifecycle lifecycle) {
        return new Catalogue(Map.of(), Map.of(lifecycle.name(), lifecycle));
    }

    static Catalogue only(Workflow workflow) {
        return new Catalogue(Map.of(workflow.name(), workflow), Map.of());
    }
}
