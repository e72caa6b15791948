package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What users get: the launcher of the distribution, real processes, a real store. */
class DistributionIT {
    private static Homes homes;
    private static Cli interlock;

    @BeforeAll
    static void startStore() throws IOException {
        homes = new Homes();
        interlock = Cli.in(homes.path("home"));
        assertThat(interlock.run("locks", "list").status()).isZero();
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException {
        homes.close();
    }

    @Test
    void a_command_runs_under_its_lock() {
        assertThat(interlock.run("run", "--lock", "greeting", "--", "echo", "hello"))
                .isEqualTo(new Running.Result(0, "hello\n", ""));
    }

    @Test
    void a_command_gets_no_descriptor_but_the_launchers() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "a system that lists descriptors");
        String itsOwnLook = "3\n";

        assertThat(interlock
                        .run("run", "--lock", "descriptors", "--", "ls", "/proc/self/fd")
                        .out())
                .isEqualTo("0\n1\n2\n" + itsOwnLook);
    }

    @Test
    void the_exit_code_is_the_commands_own() {
        assertThat(status("sh", "-c", "exit 42")).isEqualTo(42);
        assertThat(status("sh", "-c", "kill -TERM $$")).isEqualTo(128 + 15);
        assertThat(status("/etc/passwd")).isEqualTo(126);
        assertThat(status("no-such-command-anywhere")).isEqualTo(127);
    }

    private static int status(String... command) {
        List<String> words = new ArrayList<>(List.of("run", "--lock", "status", "--"));
        words.addAll(List.of(command));
        return interlock.run(words.toArray(new String[0])).status();
    }

    @Test
    void the_nightly_backup_of_the_examples_is_done_once() {
        Cli cron = interlock
                .at(Path.of("../examples/nightly-backup.sh"))
                .with("INTERLOCK", interlock.launcher().toString());

        assertThat(cron.with("BACKUP", "pwd").run().out()).isNotEmpty();

        Running.Result again = cron.with("BACKUP", "pwd").run();
        assertThat(again.status()).isZero();
        assertThat(again.out()).isEmpty();
        assertThat(again.err()).contains("backup");
    }

    @Test
    void a_lock_that_is_held_is_refused_and_its_holder_named() {
        Running holder = interlock.start("run", "--lock", "held", "--", "sh", "-c", "echo in; exec sleep 1000");
        holder.firstLine();

        Running.Result refused = interlock.run("run", "--lock", "held", "--", "echo", "both");
        assertThat(refused.status()).isEqualTo(75);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .startsWith("interlock: Blocked: ")
                .contains("held")
                .contains("interlock why held");
        Running.Result waited = interlock.run("run", "--lock", "held", "--wait", "1s", "--", "echo", "both");
        assertThat(waited.status()).isEqualTo(124);
        assertThat(waited.out()).isEmpty();

        holder.signal("TERM");
        assertThat(holder.result().status()).isEqualTo(128 + 15);
    }

    @Test
    void a_wrong_call_is_answered_with_usage() {
        assertThat(interlock.run("run", "--", "true").status()).isEqualTo(64);
        assertThat(interlock.run("frobnicate").status()).isEqualTo(64);
    }

    @Test
    void a_store_that_cannot_be_reached_is_told_from_one_that_refuses() throws IOException {
        Cli nowhere = interlock.with("INTERLOCK_STORE", "postgres://interlock@127.0.0.1:1/interlock");
        assertThat(nowhere.run("run", "--lock", "any", "--", "true").status()).isEqualTo(69);

        long port =
                json(interlock.run("store", "status", "-o", "json")).get("port").asLong();
        Cli stranger = interlock.with("INTERLOCK_STORE", "postgres://interlock:wrong@127.0.0.1:" + port + "/interlock");
        Running.Result refused = stranger.run("run", "--lock", "any", "--", "true");
        assertThat(refused.status()).isEqualTo(77);
        assertThat(refused.err()).doesNotContain("wrong@");
    }

    @Test
    void answers_for_programs_are_json() throws IOException {
        interlock.run("run", "--lock", "json", "--", "true");

        JsonNode all = json(interlock.run("locks", "list", "--all", "-o", "json"));
        assertThat(all.findValuesAsText("name")).contains("json");
    }

    private static JsonNode json(Running.Result result) throws IOException {
        assertThat(result.status()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out());
    }

    @Test
    void signals_reach_the_command_as_they_were_sent() {
        String count = "trap 'echo quit' QUIT; trap 'exit 7' USR2; echo ready; while :; do sleep 0.05; done";
        Running running = interlock.start("run", "-v", "--lock", "signals", "--", "sh", "-c", count);
        running.firstLine();
        assumeTrue(running.err().contains("signals are handed on exactly"), "env of GNU coreutils 8.31");

        running.signal("QUIT");
        Running.await("the trap", () -> running.out().contains("quit"));
        running.signal("USR2");
        Running.Result result = running.result();
        assertThat(result.status()).isEqualTo(7);
        assertThat(result.out()).isEqualTo("ready\nquit\n");
    }

    @Test
    void nothing_of_a_command_survives_its_killed_launcher_and_the_next_token_is_higher() {
        String tree = "setsid sleep 1000 & nohup sleep 1000 >/dev/null 2>&1 & echo $INTERLOCK_TOKEN $$ $(jobs -p)";
        Running first =
                interlock.start("run", "--lock", "killed", "--ttl", "5s", "--", "bash", "-c", tree + "; sleep 1000");
        List<Long> told =
                Stream.of(first.firstLine().split(" ")).map(Long::valueOf).toList();
        first.signal("KILL");
        Running.awaitEnd(told.subList(1, told.size()));

        Running.Result next =
                interlock.run("run", "--lock", "killed", "--wait", "60s", "--", "sh", "-c", "echo $INTERLOCK_TOKEN");
        assertThat(Long.parseLong(next.out().strip())).as(next.err()).isGreaterThan(told.getFirst());
    }

    @Test
    void of_two_that_start_the_store_at_once_one_does() {
        Cli fresh = Cli.in(homes.path("race"));
        Running one = fresh.start("run", "--lock", "race", "--wait", "60s", "--", "echo", "one");
        Running two = fresh.start("run", "--lock", "race", "--wait", "60s", "--", "echo", "two");

        List<Running.Result> results = List.of(one.result(), two.result());
        assertThat(results).extracting(Running.Result::status).as("%s", results).containsOnly(0);
        assertThat(results).extracting(Running.Result::out).containsExactly("one\n", "two\n");
        assertThat(results.get(0).err() + results.get(1).err()).containsOnlyOnce("Starting PostgreSQL");
    }

    @Test
    void it_runs_from_a_path_with_blanks_and_through_links() throws IOException {
        Path copy = homes.distribution("a path/with blanks");
        Path link = Files.createSymbolicLink(homes.path("a link"), copy.resolve("bin/interlock"));

        assertThat(interlock
                        .at(link)
                        .run("run", "--lock", "link", "--", "echo", "hello")
                        .out())
                .isEqualTo("hello\n");
        assertThat(interlock.at(link).run("--version").out()).startsWith("interlock ");
    }

    @Test
    void a_cache_older_than_a_jar_is_not_used() throws IOException {
        Path copy = homes.distribution("stale");
        Cli stale = interlock.at(copy.resolve("bin/interlock"));
        Path cache = Files.write(copy.resolve("lib").resolve(cacheName()), new byte[0]);
        String words = "tr '\\0' ' ' </proc/$PPID/cmdline";

        String with =
                stale.run("run", "--lock", "stale", "--", "sh", "-c", words).out();
        assertThat(with).contains("-XX:AOTCache=" + cache);

        Files.setLastModifiedTime(cache, FileTime.fromMillis(0));
        String without =
                stale.run("run", "--lock", "stale", "--", "sh", "-c", words).out();
        assertThat(without).contains("dev.interlock.app.Main").doesNotContain("AOTCache");
    }

    private static String cacheName() {
        String version = interlock.run("--version").out().strip().replace(' ', '-');
        return version + "-" + System.getProperty("java.runtime.version") + ".aot";
    }

    @Test
    void an_ordinary_user_has_a_store_of_his_own() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can become another user");
        Path home = Files.createDirectories(homes.path("nobody"));
        Homes.run("chown", "65534:65534", home.toString());
        Cli nobody = Cli.in(home.resolve("store"))
                .at(homes.distribution("for all").resolve("bin/interlock"))
                .with("HOME", home.toString())
                .through("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

        assertThat(nobody.run("run", "--lock", "mine", "--", "id", "-u").out()).isEqualTo("65534\n");
        assertThat(nobody.run("store", "stop").status()).isZero();
    }
}
