package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Workers as processes: they run, are killed, and leave. */
class WorkerIT {
    /** Each attempt notes that it began, with which token, and whether the one before it still lived. */
    private static final String DECLARATIONS = """
            workflows:
              say:
                command: [sh, -c, 'echo "hello $NAME"; echo careful >&2; exit "$CODE"']
              stay:
                command:
                  - sh
                  - -c
                  - >-
                    for pid in $(cut -d" " -f3 "$JOURNAL"); do kill -0 $pid && echo "alive $pid" >> "$JOURNAL"; done;
                    echo "$INTERLOCK_ATTEMPT $INTERLOCK_TOKEN $$" >> "$JOURNAL";
                    [ "$INTERLOCK_ATTEMPT" = 2 ] || sleep "$SECONDS_OF_WORK"
                lease: 5s
                retry: {attempts: 3, first: 1s, longest: 1s, afterLoss: true}
            """;

    private static Workforce force;

    @BeforeAll
    static void startStore() throws IOException, SQLException {
        force = Workforce.declaring(DECLARATIONS);
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException, SQLException {
        force.close();
    }

    @AfterEach
    void endWhatWasStarted() {
        force.dismiss();
    }

    private static Cli cli() {
        return force.cli();
    }

    private static Running stay(String target, Path journal, int seconds) {
        return cli().start(
                        "executions",
                        "submit",
                        "stay",
                        target,
                        "-p",
                        "JOURNAL=" + journal,
                        "-p",
                        "SECONDS_OF_WORK=" + seconds,
                        "--follow");
    }

    private static Path journal(String name) {
        try {
            return Files.createFile(force.path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path journal) {
        try {
            return Files.readAllLines(journal);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String[] begun(Path journal) {
        Running.await("the command", () -> !lines(journal).isEmpty());
        return lines(journal).getFirst().split(" ", -1);
    }

    @Test
    void whoever_follows_sees_both_streams_and_gets_the_exit_code() {
        force.hire();

        Running.Result result =
                cli().run("executions", "submit", "say", "t", "-p", "NAME=you", "-p", "CODE=7", "-q", "--follow");

        assertThat(result.status()).isEqualTo(7);
        assertThat(result.out()).isEqualTo("hello you\n");
        assertThat(result.err()).startsWith("careful\n");
    }

    @Test
    void a_killed_worker_takes_its_command_with_it_and_another_goes_on() {
        Path journal = journal("killed");
        Running victim = force.hire();
        Running following = stay("victim", journal, 600);
        String[] first = begun(journal);
        force.hire();

        victim.signal("KILL");

        assertThat(following.result().status()).isZero();
        List<String> all = lines(journal);
        assertThat(all).hasSize(2).noneMatch(line -> line.startsWith("alive"));
        String[] second = all.getLast().split(" ", -1);
        assertThat(second[0]).isEqualTo("2");
        assertThat(Long.parseLong(second[1])).isGreaterThan(Long.parseLong(first[1]));
    }

    /** Waiting for commands once kept all carriers of virtual threads, and no lease was renewed. */
    @Test
    void more_commands_than_processors_keep_no_lease_from_being_renewed() {
        force.hire("--slots", "8");
        List<Path> journals =
                IntStream.range(0, 8).mapToObj(i -> journal("many-" + i)).toList();
        List<Running> all = IntStream.range(0, 8)
                .mapToObj(i -> stay("many-" + i, journals.get(i), 8))
                .toList();

        assertThat(all).allSatisfy(one -> assertThat(one.result().status()).isZero());
        assertThat(journals).allSatisfy(journal -> assertThat(lines(journal)).hasSize(1));
    }

    @Test
    void a_worker_that_is_told_to_leave_ends_its_work_first() {
        Path journal = journal("leaving");
        Running worker = force.hire();
        String id = Workforce.id(worker);
        Running following = stay("last", journal, 3);
        begun(journal);

        worker.signal("TERM");

        assertThat(worker.result().status()).isZero();
        assertThat(following.result().status()).isZero();
        assertThat(cli().run("workers", "list").out()).doesNotContain(id);
    }

    @Test
    void three_destroys_at_once_are_one_and_none_fails_for_the_race() {
        force.hire("-d", "../examples/cluster/cluster.yaml");
        String[] fields = {"--field", "name=blue", "--field", "platform=aws", "--field", "base_domain=example.com"};
        cli().run(with(new String[] {"resources", "register", "blue", "--lifecycle", "cluster"}, fields));
        String cloud = "CLOUD=" + force.path("cloud");
        assertThat(cli().run("executions", "submit", "CREATE", "blue", "-p", cloud, "-f")
                        .status())
                .isZero();

        List<Running> three = IntStream.range(0, 3)
                .mapToObj(i ->
                        cli().start("executions", "submit", "DESTROY", "blue", "-p", cloud, "--on-busy", "join", "-f"))
                .toList();

        assertThat(three).allSatisfy(one -> assertThat(one.result().status()).isIn(0, 75));
        assertThat(cli().run("resources", "show", "blue").out()).contains("DESTROYED");
        assertThat(cli().run("executions", "list", "--target", "blue", "--phase", "failed")
                        .out())
                .isEmpty();
    }

    private static String[] with(String[] words, String... more) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of(more));
        return all.toArray(new String[0]);
    }
}
