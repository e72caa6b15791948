package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UpgradeTest {
    private static final Path FORMER = Path.of("target/former-binaries.jar");
    private static final String FORMER_VERSION = "17.11.0";
    private static final String SHIPPED = EmbeddedPostgres.shippedVersion();
    private static final Upgrade.Copy NEVER = (from, to) -> {
        throw new AssertionError("there is nothing to copy");
    };

    @RegisterExtension
    final Homes homes = new Homes();

    @Test
    void a_store_of_the_shipped_version_is_up_to_date() throws Exception {
        Path home = homes.stocked();
        assertThat(Homes.store(home).upgrade(NEVER)).isEqualTo(new Upgrade.UpToDate(SHIPPED));
        Homes.store(home).address();
        assertThat(Homes.store(home).upgrade(NEVER)).isEqualTo(new Upgrade.UpToDate(SHIPPED));
    }

    @Test
    void newer_binaries_of_the_same_major_version_serve_the_same_data() throws Exception {
        Path home = homes.stocked();
        Path binaries = home.resolve("postgres").toRealPath();
        Files.delete(home.resolve("postgres"));
        for (String version : List.of(SHIPPED, "18.5.0")) {
            Files.createDirectories(home.resolve("postgres"));
            Homes.run(
                    "cp",
                    "-al",
                    binaries.resolve(SHIPPED).toString(),
                    home.resolve("postgres/" + version).toString());
        }
        serve(home, new Binaries(home.resolve("postgres/18.5.0")), Homes.data(home));
        assertThat(Homes.running(home).version()).isEqualTo("18.5.0");
        Address joined = Homes.store(home).address(); // as it is: what runs is not disturbed
        Sql.keep(joined, "kept");

        Upgrade upgrade = Homes.store(home).upgrade(NEVER);

        Address address = Homes.store(home).address();
        assertThat(upgrade).isEqualTo(new Upgrade.Restarted("18.5.0", SHIPPED, address));
        assertThat(Homes.running(home).version()).isEqualTo(SHIPPED);
        assertThat(Sql.kept(address)).containsExactly("kept");
    }

    @Test
    void data_of_another_major_version_is_copied_and_kept_as_backup() throws Exception {
        Path home = formerStore("kept");
        Path former = home.toRealPath().resolve("data/17");

        Upgrade upgrade = Homes.store(home)
                .upgrade((from, to) -> Sql.keep(to, Sql.kept(from).toArray(String[]::new)));

        Address address = Homes.store(home).address();
        assertThat(upgrade).isEqualTo(new Upgrade.Migrated(FORMER_VERSION, SHIPPED, former, address));
        assertThat(Sql.kept(address)).containsExactly("kept");
        assertThat(Sql.show(address, "server_version_num")).startsWith("18");
        assertThat(former.resolve("PG_VERSION")).hasContent("17");
        assertThat(Processes.serving(former)).isEmpty();
    }

    @Test
    void a_copy_that_fails_leaves_everything_as_it_was() throws Exception {
        Path home = formerStore("kept");

        assertThatThrownBy(() -> Homes.store(home).upgrade((from, to) -> {
                    throw new IOException("the cable broke");
                }))
                .isInstanceOf(EmbeddedUnavailable.class)
                .hasMessageContaining("the cable broke")
                .hasMessageEndingWith("it is as it was.");

        Home opened = new Home(home.toRealPath());
        assertThat(opened.major()).hasValue(17);
        assertThat(opened.partials()).isEmpty();
        Postmaster again = serve(home, new Binaries(home.resolve("postgres/" + FORMER_VERSION)), opened.data(17));
        assertThat(Sql.kept(new Address(
                        again.port(), Files.readString(opened.password()).strip())))
                .containsExactly("kept");
    }

    @Test
    void without_the_former_binaries_the_upgrade_says_so() throws Exception {
        Path home = homes.bare();
        Files.createDirectories(home.resolve("data/16"));

        assertThatThrownBy(() -> Homes.store(home).upgrade(NEVER))
                .isInstanceOf(EmbeddedUnavailable.class)
                .hasMessageContaining("needs the binaries of PostgreSQL 16");
    }

    /** As an Interlock with PostgreSQL 17 left it. */
    private Path formerStore(String word) throws Exception {
        Path home = homes.bare();
        Home opened = Home.open(home);
        Binaries binaries = new Binaries(opened.binaries().resolve(FORMER_VERSION));
        if (!binaries.areUnpacked()) { // all homes share them
            unpack(binaries);
        }
        String password = "a former password";
        Disk.replace(opened.password(), password + "\n", "rw-------");
        Cluster made = Cluster.createAside(opened, Account.of(opened.path()), binaries, password);
        Disk.publish(made.data(), opened.data(17));
        Postmaster server = serve(home, binaries, opened.data(17));
        Sql.keep(new Address(server.port(), password), word);
        server.stop();
        return home;
    }

    private static void unpack(Binaries binaries) throws IOException {
        try (ZipFile jar = new ZipFile(FORMER.toFile())) {
            var archive = jar.stream()
                    .filter(entry -> entry.getName().endsWith(".txz"))
                    .findFirst();
            binaries.unpack(jar.getInputStream(archive.orElseThrow()));
        }
    }

    private static Postmaster serve(Path home, Binaries binaries, Path data) throws IOException {
        Home opened = new Home(home.toRealPath());
        Cluster cluster = new Cluster(opened, Account.of(opened.path()), binaries, data);
        return new Server(cluster, Patience.USUAL, line -> {}).start(Optional.empty());
    }
}
