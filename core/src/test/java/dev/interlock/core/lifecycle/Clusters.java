package dev.interlock.core.lifecycle;

import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The lifecycle of a cluster, one declaration a line, and how to read it. */
public final class Clusters {
    static final String CLUSTER = """
            lifecycle cluster
            states PENDING CREATING READY SCALING DESTROYING DESTROYED FAILED
            initial PENDING
            workflow CREATE from PENDING during CREATING success READY failure FAILED
            workflow DESTROY from READY FAILED during DESTROYING success DESTROYED failure FAILED
            workflow JANITOR_DESTROY from READY FAILED during DESTROYING success DESTROYED failure FAILED
            workflow SCALE_WORKERS from READY during SCALING success READY failure FAILED
            unique name platform base_domain except DESTROYED
            """;

    private Clusters() {}

    public static Lifecycle cluster() {
        return new Lifecycle(declared(CLUSTER));
    }

    static Declaration declared(String text) {
        Word name = new Word("", 0);
        Word initial = new Word("", 0);
        List<Word> states = List.of();
        List<Step> steps = new ArrayList<>();
        Unique unique = null;
        int line = 0;
        for (String written : text.lines().toList()) {
            line++;
            List<Word> words = words(written, line);
            switch (words.get(0).text()) {
                case "lifecycle" -> name = words.get(1);
                case "states" -> states = words.subList(1, words.size());
                case "initial" -> initial = words.get(1);
                case "workflow" -> steps.add(step(words));
                case "unique" ->
                    unique = new Unique(between(words, "unique", "except"), between(words, "except", null), line);
                default -> throw new AssertionError(written);
            }
        }
        return new Declaration(name, states, initial, steps, unique);
    }

    private static List<Word> words(String line, int number) {
        return Arrays.stream(line.split(" "))
                .map(text -> new Word(text, number))
                .toList();
    }

    private static Step step(List<Word> words) {
        Word name = words.get(1);
        return new Step(
                name,
                between(words, "from", "during"),
                between(words, "during", "success").get(0),
                between(words, "success", "failure").get(0),
                between(words, "failure", null).get(0),
                Workflow.plain(name.text())
                        .withCommand(List.of("./" + name.text().toLowerCase(Locale.ROOT) + ".sh"))
                        .withPolicy(Policy.PLAIN.withTimeout(Duration.ofMinutes(90))));
    }

    private static List<Word> between(List<Word> words, String after, String before) {
        List<String> texts = words.stream().map(Word::text).toList();
        int from = texts.indexOf(after) + 1;
        return words.subList(from, before == null ? words.size() : texts.indexOf(before));
    }
}
