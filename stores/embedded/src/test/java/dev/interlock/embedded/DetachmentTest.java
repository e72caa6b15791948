package dev.interlock.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The server belongs to nobody who started it. */
class DetachmentTest {
    private static final int GROUP = 2;
    private static final int SESSION = 3;

    @RegisterExtension
    final Homes homes = new Homes();

    @BeforeAll
    static void needs_proc() {
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "these rules are read from /proc, which is not here");
    }

    @Test
    @Timeout(60)
    void the_output_of_a_starter_ends_with_the_starter() throws Exception {
        Path home = homes.stocked();
        Starter starter = Starter.at(home);

        assertThat(starter.lines()).last().asString().startsWith("address "); // all of it, so the pipe was closed

        assertThat(starter.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(Homes.store(home).status()).isInstanceOf(Status.Running.class);
    }

    @Test
    void the_server_outlives_the_process_group_and_the_session_of_its_starter() throws Exception {
        Path home = homes.stocked();
        Starter starter = Starter.at(home, "setsid");
        starter.line("address ");
        long pid = Homes.running(home).pid();

        assertThat(field(pid, SESSION)).isEqualTo(pid);
        assertThat(field(pid, GROUP)).isEqualTo(pid);
        Command.run(
                Path.of("/"),
                List.of("/bin/sh", "-c", "kill -s KILL -- -" + starter.process().pid()));
        starter.process().waitFor();

        assertThat(OsProcess.serves(pid, Homes.data(home))).isTrue();
    }

    @Test
    void the_server_inherits_neither_environment_nor_the_mark_of_a_supervised_run() throws Exception {
        Path home = homes.stocked();
        Starter.at(home, "prlimit", "--locks=123456789012345678:").lines();
        long pid = Homes.running(home).pid();

        assertThat(proc(pid, "environ")).doesNotContain("INTERLOCK");
        assertThat(proc(pid, "limits")).containsPattern("Max file locks +unlimited");
    }

    @Test
    void descriptors_of_the_starter_stay_with_the_starter() throws Exception {
        Path home = homes.stocked();
        Path witness = home.resolve("witness");
        Starter.at(home, "/bin/sh", "-c", "exec 7>\"" + witness + "\"; exec \"$0\" \"$@\"")
                .lines();

        assertThat(descriptors(Homes.running(home).pid())).doesNotContain(witness.toString());
    }

    @Test
    void perl_stands_in_where_setsid_and_flock_are_missing() throws Exception {
        Path perl = Path.of("/usr/bin/perl");
        assumeTrue(Files.isExecutable(perl), "no perl here, which macOS has");
        Path onlyPerl = Files.createDirectories(homes.none());
        Files.createSymbolicLink(onlyPerl.resolve("perl"), perl);
        String session = "exec /usr/bin/cut -d ' ' -f 1,6 /proc/self/stat";

        ProcessBuilder detached = new ProcessBuilder(
                "/bin/sh", "-c", Exclusive.SCRIPT, onlyPerl + "/lock", onlyPerl + "/pid", "/bin/sh", "-c", session);
        detached.environment().put("PATH", onlyPerl.toString());
        String[] pidAndSession =
                new String(detached.start().getInputStream().readAllBytes(), ISO_8859_1).split("\\s", -1);

        assertThat(pidAndSession[1]).isEqualTo(pidAndSession[0]);
    }

    /** Of the fields after the name, counted from the state. */
    private static long field(long pid, int index) throws IOException {
        String stat = proc(pid, "stat");
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[index]);
    }

    private static String proc(long pid, String file) throws IOException {
        return new String(Files.readAllBytes(Path.of("/proc", Long.toString(pid), file)), ISO_8859_1);
    }

    private static String descriptors(long pid) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path descriptor : Home.entries(Path.of("/proc", Long.toString(pid), "fd"), "*")) {
            all.append(Files.readSymbolicLink(descriptor)).append('\n');
        }
        return all.toString();
    }
}
