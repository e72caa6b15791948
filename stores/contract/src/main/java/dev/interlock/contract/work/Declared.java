package dev.interlock.contract.work;

import dev.interlock.core.execution.Retry;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What is declared when a rule begins. */
public final class Declared {
    /** Nothing special about it. */
    public static final Workflow DEPLOY = Workflow.plain("deploy");

    /** May be repeated after its runner was lost, and has a timeout and a lease of its own. */
    public static final Workflow BACKUP = Workflow.plain("backup")
            .withPolicy(Policy.PLAIN
                    .withRetry(Retry.DEFAULT.withAttempts(2).withAfterLoss(true))
                    .withTimeout(Duration.ofMinutes(10))
                    .withLease(Duration.ofSeconds(10)));

    /** Has a short time. */
    public static final Workflow CHECK =
            Workflow.plain("check").withPolicy(Policy.PLAIN.withTimeout(Duration.ofMinutes(1)));

    /** Under every rule of admission. */
    public static final Workflow RESTART = Workflow.plain("restart").withPolicy(Policy.REMEDIATION);

    public static final Lifecycle CLUSTER = new Lifecycle(new Declaration(
            word("cluster"),
            words("PENDING", "CREATING", "READY", "SCALING", "DESTROYING", "DESTROYED", "FAILED"),
            word("PENDING"),
            List.of(
                    step("CREATE", words("PENDING"), "CREATING", "READY", Policy.REMEDIATION),
                    step("DESTROY", words("READY", "FAILED"), "DESTROYING", "DESTROYED", Policy.REMEDIATION),
                    step("JANITOR_DESTROY", words("READY", "FAILED"), "DESTROYING", "DESTROYED", Policy.PLAIN),
                    step("REVIVE", words("DESTROYED"), "CREATING", "READY", Policy.PLAIN),
                    step(
                            "SCALE_WORKERS",
                            words("READY"),
                            "SCALING",
                            "READY",
                            Policy.PLAIN.withRetry(Retry.DEFAULT.withAfterLoss(true)))),
            new Unique(words("name"), words("DESTROYED"), 0)));

    public static final Catalogue ALL = new Catalogue(
            Map.of("deploy", DEPLOY, "backup", BACKUP, "check", CHECK, "restart", RESTART), Map.of("cluster", CLUSTER));

    private Declared() {}

    private static Step step(String name, List<Word> from, String during, String success, Policy policy) {
        return new Step(
                word(name),
                from,
                word(during),
                word(success),
                word("FAILED"),
                Workflow.plain(name).withPolicy(policy));
    }

    private static List<Word> words(String... texts) {
        return Stream.of(texts).map(Declared::word).toList();
    }

    private static Word word(String text) {
        return new Word(text, 0);
    }
}
