package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Workers are killed at moments nobody expects while they create the clusters of the example. */
class KilledWorkerIT {
    private static final int VICTIMS = 4;
    private static final long SEED = 4711;
    private static final Path EXAMPLE = Path.of("../examples/cluster").toAbsolutePath();

    /** The first attempt takes its time, and never comes to its end. */
    private static final String CREATE = Section.BEATING + """
            linger() { [ "$INTERLOCK_ATTEMPT" -gt 1 ] || sleep "$1"; }
            . '%1$s/cloud.sh'
            put network 10.0.0.0/16
            linger 0.5
            put control-plane ready
            linger 0.5
            put workers 3
            linger 600
            """.formatted(EXAMPLE);

    private static Workforce force;

    @BeforeAll
    static void startStore() throws IOException, SQLException {
        force = Workforce.declaring(Files.readString(EXAMPLE.resolve("cluster.yaml"))
                .replace("command: [./create.sh]", "command: " + Section.COMMAND + "\n        lease: 5s")
                .replace("first: 5m, longest: 30m", "first: 1s, longest: 1s"));
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException, SQLException {
        force.close();
    }

    /** @param point after how many beats of its command the worker is killed */
    private record Creation(String target, String execution, Section section, Path cloud, int point) {
        static Creation begin(String target, int point) throws IOException {
            Section section = Section.in(force.path(target));
            Path cloud = Files.createDirectories(force.path(target).resolve("cloud"));
            force.say(
                    "resources",
                    "register",
                    target,
                    "--lifecycle",
                    "cluster",
                    "--field",
                    "name=" + target,
                    "--field",
                    "platform=aws",
                    "--field",
                    "base_domain=example.com");
            List<String> more = new ArrayList<>(section.parameters(CREATE));
            more.addAll(List.of("-p", "CLOUD=" + cloud));
            return new Creation(target, force.submit("CREATE", target, more), section, cloud, point);
        }

        String owner() {
            return force.of(execution, "owner");
        }

        boolean isDue() {
            return section.beats(Long.parseLong(force.of(execution, "token"))).size() >= point;
        }

        void assertWell() throws IOException {
            Trail trail = Trail.of(force.server(), target);
            assertThat(trail.violations()).isEmpty();
            String attempts = force.say("executions", "show", execution).out();
            assertThat(trail.all("GRANTED")).as(attempts).hasSize(2);
            assertThat(trail.all("EXPIRED")).hasSize(1);
            Trail.Event lost = trail.all("EXPIRED").getFirst();
            assertThat(section.beats(lost.token())).hasSizeGreaterThanOrEqualTo(point);
            assertThat(section.beatsAfter(lost.ended(), lost.token())).isEmpty();
            assertThat(section.read().violations(Set.of(execution))).isEmpty();
            assertThat(section.read().left()).containsExactly(execution);
            assertThat(attempts).contains("WORKER_TIMEOUT");
            assertThat(force.say("resources", "show", target).out()).contains("READY");
            assertThat(things()).containsExactly("control-plane ready", "network 10.0.0.0/16", "workers 3");
        }

        /** Everything in the cloud, of whatever cluster. */
        private List<String> things() throws IOException {
            try (Stream<Path> paths = Files.walk(cloud, 2)) {
                List<String> things = new ArrayList<>();
                for (Path path : paths.filter(Files::isRegularFile).toList()) {
                    String name = path.getFileName().toString();
                    if (!name.startsWith(".")) { // what a killed writer had not put in its place yet
                        things.add(name + " " + Files.readString(path).strip());
                    }
                }
                return things.stream().sorted().toList();
            }
        }
    }

    @Test
    void whenever_its_worker_is_killed_a_creation_is_finished_by_another_and_there_is_one_cluster() throws IOException {
        Map<String, Running> victims = new HashMap<>();
        for (int i = 0; i < VICTIMS; i++) {
            Running victim = force.hire("--slots", "1", "--no-janitor");
            victims.put(Workforce.id(victim), victim);
        }
        Random random = new Random(SEED);
        List<Creation> creations = new ArrayList<>();
        for (int i = 0; i < VICTIMS; i++) {
            creations.add(Creation.begin("cluster-" + i, i == 0 ? 0 : random.nextInt(30)));
        }
        for (Creation creation : creations) {
            Running.await("a worker for " + creation, () -> victims.containsKey(creation.owner()));
        }

        List<Creation> alive = new ArrayList<>(creations);
        Running.await("the moment of each", () -> {
            alive.removeIf(creation -> {
                boolean due = creation.isDue();
                if (due) {
                    victims.get(creation.owner()).signal("KILL");
                }
                return due;
            });
            return alive.isEmpty();
        });
        force.hire("--slots", "" + VICTIMS);

        for (Creation creation : creations) {
            force.awaitPhase(creation.execution(), "COMPLETED");
            creation.assertWell();
        }
    }
}
