package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.interlock.contract.LockStoreContract;
import dev.interlock.contract.Rule;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A contract that nothing can break proves nothing: each of these stores is broken, and one rule must notice. */
class CanaryTest {
    private static final Launcher LAUNCHER = LauncherFactory.create();

    static List<Canary> canaries() {
        return Stream.of(BrokenMemories.all(), BrokenViews.all())
                .flatMap(List::stream)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("canaries")
    void the_contract_notices(Canary canary) {
        TestExecutionSummary summary = run(canary);

        assertThat(summary.getTestsStartedCount()).isPositive();
        assertThat(summary.getFailures())
                .as("%s went unnoticed", canary)
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure.getException()).isInstanceOf(AssertionError.class));
    }

    /** Else a rule that fails on every store would pass for vigilant. */
    @ParameterizedTest
    @MethodSource("canaries")
    void the_same_rule_is_content_with_a_sound_store(Canary canary) {
        TestExecutionSummary summary = run(canary.healthy());

        assertThat(summary.getTestsSucceededCount()).isPositive();
        assertThat(summary.getFailures()).isEmpty();
    }

    @Test
    void every_family_of_rules_has_its_canary() {
        Set<Class<?>> guarded = canaries().stream()
                .<Class<?>>map(canary -> rule(canary).getDeclaringClass())
                .collect(Collectors.toSet());

        assertThat(guarded).contains(LockStoreContract.class.getInterfaces());
    }

    private static TestExecutionSummary run(Canary canary) {
        CanaryRules.canary = canary;
        var listener = new SummaryGeneratingListener();
        LAUNCHER.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectMethod(CanaryRules.class, rule(canary)))
                        .build(),
                listener);
        return listener.getSummary();
    }

    private static Method rule(Canary canary) {
        return Stream.of(LockStoreContract.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Rule.class)
                        && method.getName().equals(canary.caughtBy()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no such rule: " + canary.caughtBy()));
    }
}
