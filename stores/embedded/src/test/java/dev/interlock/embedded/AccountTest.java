package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whom the server runs as. The other tests run it as oneself, or as nobody when oneself is root. */
class AccountTest {
    private static final int ROOT = 0;
    private static final int DAEMON = 1;
    private static final int NOBODY = 65534;

    @RegisterExtension
    final Homes homes = new Homes();

    @BeforeAll
    static void needs_root() {
        assumeTrue(Account.isRoot(), "only root can be anybody");
    }

    @Test
    void the_server_of_root_is_nobody() throws Exception {
        Path home = homes.bare();

        Homes.store(home).address();

        assertThat(Disk.uid(process(home))).isEqualTo(NOBODY);
        assertThat(Disk.uid(Homes.data(home))).isEqualTo(NOBODY);
        assertThat(Disk.uid(home.resolve("password"))).isEqualTo(ROOT);
    }

    @Test
    void in_a_home_that_nobody_can_enter_the_server_gives_up_root_in_a_namespace() throws Exception {
        Path home = homes.bare();
        Disk.chmod(Disk.parentOf(home), "rwx------");
        assumeTrue(Account.of(home).prefix().contains("unshare"), "user namespaces are not permitted here");

        Sql.keep(Homes.store(home).address(), "kept");
        Homes.store(home).stop();

        assertThat(Sql.kept(Homes.store(home).address())).containsExactly("kept");
        assertThat(Files.readString(process(home).resolve("status"))).containsPattern("CapEff:\\s+0+\n");
        assertThat(Disk.uid(Homes.data(home))).isEqualTo(ROOT);
    }

    @Test
    void data_follows_when_the_home_becomes_open_to_nobody() throws Exception {
        Path home = homes.bare();
        Disk.chmod(Disk.parentOf(home), "rwx------");
        assumeTrue(Account.of(home).prefix().contains("unshare"), "user namespaces are not permitted here");
        Sql.keep(Homes.store(home).address(), "kept");
        Homes.store(home).stop();
        Disk.chmod(Disk.parentOf(home), "rwxr-xr-x");

        assertThat(Sql.kept(Homes.store(home).address())).containsExactly("kept");
        assertThat(Disk.uid(process(home))).isEqualTo(NOBODY);
    }

    @Test
    void an_ordinary_user_runs_it_as_oneself() throws Exception {
        Path home = homes.bare();
        Disk.chown(home, DAEMON, DAEMON);

        assertThat(asDaemon(home)).startsWith("address ");

        assertThat(Disk.uid(process(home))).isEqualTo(DAEMON);
    }

    @Test
    void in_the_home_of_a_user_root_works_for_the_user() throws Exception {
        Path home = homes.bare();
        Disk.chown(home, DAEMON, DAEMON);

        Homes.store(home).address();

        assertThat(Disk.uid(process(home))).isEqualTo(DAEMON);
        for (Path entry : Home.entries(home, "*")) {
            assertThat((Integer) Files.getAttribute(entry, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                    .as(entry.toString())
                    .isEqualTo(DAEMON);
        }
        Homes.store(home).stop();
        assertThat(asDaemon(home)).startsWith("address ");
    }

    private static String asDaemon(Path home) throws IOException {
        return Starter.readableByAll(home, "setpriv", "--reuid=1", "--regid=1", "--clear-groups")
                .lines()
                .getLast();
    }

    private static Path process(Path home) {
        return Path.of("/proc", Long.toString(Homes.running(home).pid()));
    }
}
