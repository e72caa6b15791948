package dev.interlock.contract;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

class CatalogueTest {
    private final List<Method> rules = AnnotationSupport.findAnnotatedMethods(
            LockStoreContract.class, Rule.class, HierarchyTraversalMode.TOP_DOWN);

    @Test
    void every_entry_of_the_catalogue_has_a_rule() {
        EnumSet<Catalogue> covered = rules.stream()
                .flatMap(rule -> Stream.of(rule.getAnnotation(Rule.class).value()))
                .collect(toCollection(() -> EnumSet.noneOf(Catalogue.class)));

        assertThat(EnumSet.complementOf(covered)).isEmpty();
    }

    @Test
    void every_test_of_the_contract_says_what_it_answers_for() {
        List<Method> tests = Stream.of(Test.class, ParameterizedTest.class)
                .flatMap(type ->
                        AnnotationSupport.findAnnotatedMethods(
                                LockStoreContract.class, type, HierarchyTraversalMode.TOP_DOWN)
                                .stream())
                .toList();

        assertThat(tests).containsExactlyInAnyOrderElementsOf(rules);
        assertThat(tests).hasSizeGreaterThan(190);
    }
}
