package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testing.kube.KubeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One process has its clock an hour ahead or behind, on the stores whose conditions know no clock. Whoever judged a
 * lease by its own clock would take a living holder's lock at once, or wait an hour for that of a dead one.
 */
class SkewedClockIT {
    private static final String RIGHT = "+0s";
    private static final String AHEAD = "+1h";
    private static final String BEHIND = "-1h";
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Pattern RENEWED = Pattern.compile("\"renewed_at\": \"([^\"]+)\"");

    private static Homes homes;
    private static DynamoLocal dynamo;
    private static KubeApiServer kubernetes;

    private final List<Running> started = new ArrayList<>();

    enum Store {
        DYNAMODB,
        KUBERNETES
    }

    @BeforeAll
    static void startServers() throws IOException {
        homes = new Homes();
        dynamo = DynamoLocal.start();
        kubernetes = KubeApiServer.start();
        assertThat(at(Store.DYNAMODB, RIGHT).run("dynamodb", "create-table").status())
                .isZero();
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException {
        if (kubernetes != null) {
            kubernetes.close();
        }
        if (dynamo != null) {
            dynamo.close();
        }
        homes.close();
    }

    @AfterEach
    void endWhatWasStarted() {
        started.forEach(run -> run.process().destroyForcibly());
    }

    private static Cli at(Store store, String offset) {
        Cli interlock = Faketime.set(Cli.in(homes.path("home")), offset);
        return switch (store) {
            case DYNAMODB ->
                interlock
                        .with("INTERLOCK_STORE", dynamo.address("skewed"))
                        .with("AWS_ACCESS_KEY_ID", "test")
                        .with("AWS_SECRET_ACCESS_KEY", "test")
                        .with("AWS_EC2_METADATA_DISABLED", "true");
            case KUBERNETES ->
                interlock
                        .with("INTERLOCK_STORE", "kubernetes://default")
                        .with(
                                "KUBECONFIG",
                                kubernetes
                                        .kubeconfig(KubeApiServer.ADMIN, "default")
                                        .toString());
        };
    }

    @Test
    void the_clock_of_such_a_process_is_really_off() {
        for (String offset : List.of(AHEAD, BEHIND)) {
            Running.Result date =
                    at(Store.KUBERNETES, offset).run("run", "--lock", "watch" + offset, "--", "date", "+%s");

            assertThat(date.status()).as(date.err()).isZero();
            long apart = Long.parseLong(date.out().strip()) - Instant.now().getEpochSecond();
            assertThat(Math.abs(apart)).as(offset).isBetween(3000L, 4200L);
        }
    }

    /** Who holds and who waits, by their clocks; the two are never the same. */
    private record Pair(String holder, String waiter) {
        String lock() {
            return "held" + holder + "/waited" + waiter;
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void nobody_takes_a_living_holders_lock_and_everybody_gets_a_dead_ones(Store store) throws IOException {
        List<Scene> scenes = new ArrayList<>();
        for (Pair pair : List.of(
                new Pair(AHEAD, RIGHT), new Pair(BEHIND, RIGHT), new Pair(RIGHT, AHEAD), new Pair(RIGHT, BEHIND))) {
            scenes.add(new Scene(store, pair));
        }
        scenes.forEach(Scene::hold);
        scenes.forEach(Scene::await);
        Running.await("renewals for longer than a lease", () -> {
            scenes.forEach(Scene::look);
            return scenes.stream().allMatch(Scene::hasRenewedForALease);
        });
        scenes.forEach(Scene::assertNobodyElseIsIn);
        scenes.forEach(Scene::killHolder);
        scenes.forEach(Scene::assertWaiterGetsIn);
    }

    private final class Scene {
        private final Store store;
        private final Pair pair;
        private final Section section;
        private Running holder;
        private Running waiter;
        private Instant firstSeen;
        private Instant lastSeen;

        Scene(Store store, Pair pair) throws IOException {
            this.store = store;
            this.pair = pair;
            this.section = Section.in(homes.path(store + pair.lock().replace('/', '-')));
        }

        private Running start(String offset, String who, String work) {
            List<String> words = new ArrayList<>(List.of(
                    "run",
                    "--ttl",
                    LEASE.toSeconds() + "s",
                    "--wait",
                    "5m",
                    "--execution",
                    who,
                    "--lock",
                    pair.lock(),
                    "--"));
            words.addAll(section.visit(work));
            Running run = at(store, offset).start(words.toArray(new String[0]));
            started.add(run);
            return run;
        }

        void hold() {
            holder = start(pair.holder(), "holder", "sleep 600");
            section.awaitEntry("holder");
        }

        void await() {
            waiter = start(pair.waiter(), "waiter", "true");
            Running.await("a waiter for " + pair, () -> status().contains("\"waiting\": 1"));
        }

        private String status() {
            return at(store, pair.waiter())
                    .run("locks", "status", pair.lock(), "-o", "json")
                    .out();
        }

        /** By the holder's own clock, which goes wrong but goes on. */
        boolean hasRenewedForALease() {
            return firstSeen != null && Duration.between(firstSeen, lastSeen).compareTo(LEASE) > 0;
        }

        void look() {
            Matcher seen = RENEWED.matcher(status());
            if (seen.find()) {
                lastSeen = Instant.parse(seen.group(1));
                firstSeen = firstSeen == null ? lastSeen : firstSeen;
            }
        }

        void assertNobodyElseIsIn() {
            assertThat(section.read().entered()).as(pair.toString()).containsExactly("holder");
            assertThat(holder.process().isAlive()).isTrue();
        }

        void killHolder() {
            holder.signal("KILL");
        }

        /** In good time: an hour is far beyond any patience. */
        void assertWaiterGetsIn() {
            Running.Result result = waiter.result();
            assertThat(result.status()).as(pair + ": " + result.err()).isZero();
            assertThat(section.read().violations(Set.of("holder")))
                    .as(pair.toString())
                    .isEmpty();
            assertThat(section.read().left()).contains("waiter");
        }
    }
}
