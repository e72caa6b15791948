package dev.interlock.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may see whom, over everything on the class path; and that each rule catches what breaks it. */
class RoomsTest {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.interlock");

    private static final Set<String> TIME_THREADS_CHANCE = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.time.Instant.now",
            "java.time.InstantSource.system",
            "java.time.LocalDateTime.now",
            "java.time.OffsetDateTime.now",
            "java.time.ZonedDateTime.now",
            "java.time.Clock.systemUTC",
            "java.lang.Thread.<init>",
            "java.lang.Thread.sleep",
            "java.lang.Thread.start",
            "java.lang.Thread.startVirtualThread",
            "java.lang.Thread.ofVirtual",
            "java.lang.Thread.ofPlatform",
            "java.lang.Object.wait",
            "java.util.concurrent.TimeUnit.sleep",
            "java.util.concurrent.locks.LockSupport.parkNanos",
            "java.util.concurrent.CompletableFuture.supplyAsync",
            "java.util.concurrent.CompletableFuture.runAsync",
            "java.util.concurrent.CompletableFuture.orTimeout",
            "java.util.concurrent.CompletableFuture.completeOnTimeout",
            "java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor",
            "java.util.concurrent.Executors.newCachedThreadPool",
            "java.util.concurrent.Executors.newFixedThreadPool",
            "java.util.concurrent.ScheduledThreadPoolExecutor.<init>",
            "java.util.concurrent.ThreadPoolExecutor.<init>",
            "java.util.concurrent.ThreadLocalRandom.current",
            "java.util.UUID.randomUUID",
            "java.util.Random.<init>",
            "java.security.SecureRandom.<init>",
            "java.lang.Math.random");

    /** @param planted what the rule must catch */
    record Room(ArchRule rule, Class<?> planted) {
        @Override
        public String toString() {
            return rule.getDescription();
        }
    }

    static List<Room> rooms() {
        return List.of(
                new Room(sees("core"), dev.interlock.core.planted.SeesAStore.class),
                new Room(
                        doesNot("core", "core.system", TIME_THREADS_CHANCE),
                        dev.interlock.core.planted.ReadsTheClock.class),
                new Room(
                        sees("contract", "dev.interlock.core..", "org.junit..", "org.assertj.."),
                        dev.interlock.contract.planted.SeesAStore.class),
                new Room(
                        sees("engine", "dev.interlock.core..", "org.slf4j.."),
                        dev.interlock.engine.planted.SeesAStore.class),
                new Room(
                        doesNot("engine", "none", TIME_THREADS_CHANCE),
                        dev.interlock.engine.planted.ReadsTheClock.class),
                new Room(
                        sees("declaration", "dev.interlock.core..", "org.snakeyaml.engine.."),
                        dev.interlock.declaration.planted.SeesAStore.class),
                new Room(
                        sees("metrics", "dev.interlock.core..", "io.micrometer.."),
                        dev.interlock.metrics.planted.SeesAStore.class),
                new Room(sees("memory", "dev.interlock.core.."), dev.interlock.memory.planted.SeesAnotherStore.class),
                new Room(
                        sees("postgres", "dev.interlock.core..", "javax..", "org.postgresql..", "org.flywaydb.."),
                        dev.interlock.postgres.planted.SeesAnotherStore.class),
                new Room(
                        sees("kubernetes", "dev.interlock.core..", "io.fabric8..", "com.fasterxml.jackson.."),
                        dev.interlock.kubernetes.planted.SeesAnotherStore.class),
                // No clock of this machine takes part: whatever hour it shows, a lease is judged the same.
                new Room(
                        doesNot("kubernetes", "none", TIME_THREADS_CHANCE),
                        dev.interlock.kubernetes.planted.ReadsTheClock.class),
                new Room(
                        sees("dynamodb", "dev.interlock.core..", "software.amazon.awssdk.."),
                        dev.interlock.dynamodb.planted.SeesAnotherStore.class),
                new Room(
                        doesNot("dynamodb", "none", TIME_THREADS_CHANCE),
                        dev.interlock.dynamodb.planted.ReadsTheClock.class),
                new Room(
                        sees("sqs", "dev.interlock.core..", "software.amazon.awssdk.."),
                        dev.interlock.sqs.planted.SeesAStore.class),
                new Room(doesNot("sqs", "none", TIME_THREADS_CHANCE), dev.interlock.sqs.planted.ReadsTheClock.class),
                new Room(
                        sees("embedded", "org.apache.commons.compress..", "org.tukaani.xz.."),
                        dev.interlock.embedded.planted.SeesTheDriver.class),
                new Room(sees("supervise", "sun.misc"), dev.interlock.supervise.planted.SeesTheCore.class),
                new Room(
                        sees(
                                "cli",
                                "dev.interlock.core..",
                                "dev.interlock.declaration",
                                "dev.interlock.engine",
                                "dev.interlock.supervise",
                                "picocli"),
                        dev.interlock.cli.planted.NamesAStore.class),
                new Room(
                        doesNot("cli", "none", Set.of("java.lang.System.getenv")),
                        dev.interlock.cli.planted.ReadsTheEnvironment.class));
    }

    private static ArchRule sees(String room, String... others) {
        List<String> allowed = new ArrayList<>(List.of("java..", "org.jspecify..", "dev.interlock." + room + ".."));
        allowed.addAll(List.of(others));
        return classes()
                .that()
                .resideInAPackage("dev.interlock." + room + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed.toArray(new String[0]));
    }

    private static ArchRule doesNot(String room, String except, Set<String> verbs) {
        return noClasses()
                .that()
                .resideInAPackage("dev.interlock." + room + "..")
                .and()
                .resideOutsideOfPackage("dev.interlock." + except + "..")
                .should()
                .accessTargetWhere(describe(
                        "it is a forbidden verb",
                        (JavaAccess<?> access) -> verbs.contains(access.getTargetOwner()
                                        .getName() + "." + access.getTarget().getName())));
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void every_room_sees_only_what_it_may(Room room) {
        room.rule().check(ALL);
    }

    /** A rule that catches nothing would pass for ever. */
    @ParameterizedTest
    @MethodSource("rooms")
    void every_rule_catches_what_breaks_it(Room room) {
        JavaClasses planted = new ClassFileImporter().importClasses(room.planted());
        assertThat(room.rule().evaluate(planted).hasViolation())
                .as(room.rule().getDescription())
                .isTrue();
    }
}
