package dev.interlock.contract.once;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A storm of callers for one thing in several processes, on a real store. Nobody goes on before everybody has looked and
 * seen nothing, so that the race is not left to luck. A store's test says how a process opens it, and adds nothing.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(300)
public abstract class OnceAcrossProcesses {
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** Short, since the others really wait for its end; not so short that a busy machine loses it. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(6);

    @TempDir
    Path directory = Path.of("");

    private final List<Replica> replicas = new ArrayList<>();

    /** What each process opens the store with. */
    protected abstract Class<? extends StoreOpener> opener();

    /** What the opener is told; every process of one test at one store, without any records of another test. */
    protected abstract List<String> address();

    @AfterEach
    final void killWhatIsLeft() {
        replicas.forEach(Replica::close);
    }

    @Test
    void of_a_hundred_callers_in_three_processes_one_creates_and_99_are_told_what_exists() throws IOException {
        Tally tally = storm(Variant.SOUND, List.of(33, 34, 33), List.of(7, 7, 7));

        assertThat(tally.violations()).isEmpty();
        assertThat(tally.created()).isEqualTo(1);
        assertThat(tally.existed()).isEqualTo(99);
    }

    /** Names that carry the second do not collide then, and no conflict stops the second creation. */
    @Test
    void the_boundary_of_a_second_makes_no_difference() throws IOException {
        Tally tally = storm(Variant.SOUND, List.of(33, 34, 33), List.of(7, 8, 9));

        assertThat(tally.violations()).isEmpty();
        assertThat(tally.created()).isEqualTo(1);
        assertThat(tally.existed()).isEqualTo(99);
    }

    @ParameterizedTest
    @EnumSource(names = {"WITHOUT_THE_LOCK", "WITHOUT_THE_SECOND_LOOKUP", "FAILS_WHEN_IT_COMES_SECOND"})
    void the_storm_tells_a_broken_variant_from_a_sound_one(Variant broken) throws IOException {
        assertThat(storm(broken, List.of(4, 4), List.of(7, 8)).violations())
                .as("%s went unnoticed", broken)
                .isNotEmpty();
    }

    /** Whatever its death leaves behind, the others go on: they create if it had not, and find what it created. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOWHERE")
    void a_process_killed_on_the_way_is_no_failure_of_the_others(Point point) throws IOException {
        Replica victim = start(Variant.SOUND, point, 1, SHORT_LEASE);
        List<Replica> others = List.of(
                start(Variant.SOUND, Point.NOWHERE, 50, SHORT_LEASE),
                start(Variant.SOUND, Point.NOWHERE, 50, SHORT_LEASE));
        look();
        victim.tell("go 7");
        victim.awaitWord("stopped");
        others.forEach(other -> other.tell("go 8"));
        victim.kill();

        Tally tally = tally(others);

        assertThat(tally.violations()).isEmpty();
        assertThat(tally.answers()).hasSize(100);
        assertThat(tally.things()).containsExactly(point == Point.CREATED ? "request-7" : "request-8");
    }

    /** It wakes up after its lease, in the middle of its creation, when somebody else has created. */
    @Test
    void a_process_frozen_in_its_creation_finds_what_its_successor_made() throws IOException {
        Replica victim = start(Variant.SOUND, Point.CREATING, 1, SHORT_LEASE);
        Replica other = start(Variant.SOUND, Point.NOWHERE, 10, SHORT_LEASE);
        look();
        victim.tell("go 7");
        victim.awaitWord("stopped");
        victim.signal("STOP");
        other.tell("go 8");
        List<String> answers = new ArrayList<>(other.answers());
        victim.signal("CONT");
        victim.tell("on");
        answers.addAll(victim.answers());

        Tally tally = new Tally(answers, new Things(directory).all());

        assertThat(tally.violations()).isEmpty();
        assertThat(answers).hasSize(11).last().isEqualTo("existed request-8");
    }

    private Tally storm(Variant variant, List<Integer> callers, List<Integer> seconds) throws IOException {
        for (int count : callers) {
            start(variant, Point.NOWHERE, count, LEASE);
        }
        look();
        for (int at = 0; at < seconds.size(); at++) {
            replicas.get(at).tell("go " + seconds.get(at));
        }
        return tally(replicas);
    }

    private Replica start(Variant variant, Point point, int callers, Duration lease) throws IOException {
        Replica replica = new Replica(
                new OnceProcess.Plan(variant, point, callers, lease, directory, opener().getName()), address());
        replicas.add(replica);
        return replica;
    }

    private void look() {
        replicas.forEach(replica -> replica.awaitWord("ready"));
        replicas.forEach(replica -> replica.tell("look"));
        replicas.forEach(replica -> replica.awaitWord("looked"));
    }

    private Tally tally(List<Replica> asked) throws IOException {
        List<String> answers =
                asked.stream().flatMap(replica -> replica.answers().stream()).toList();
        return new Tally(answers, new Things(directory).all());
    }
}
