package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.app.InProcess.Said;
import dev.interlock.embedded.Address;
import dev.interlock.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The command on real servers: the store on this machine, and the same server as one of somebody else's. */
class RealStoresTest {
    private static final List<Path> HOMES = new ArrayList<>();
    private static Path home;
    private static Address address;
    private static OtherServer other;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeAll
    static void start() throws Exception {
        home = newHome();
        address = new EmbeddedPostgres(home, notice -> {}).address();
        other = OtherServer.start(home);
    }

    /** Whoever the server runs as must be able to pass through. */
    private static Path newHome() throws IOException {
        Path base = Files.createTempDirectory("interlock-app");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        HOMES.add(base);
        return base.resolve("home");
    }

    @AfterAll
    static void stop() throws Exception {
        other.stop();
        for (Path base : HOMES) {
            new EmbeddedPostgres(base.resolve("home"), notice -> {}).stop();
            OtherServer.delete(base);
        }
    }

    private Said run(String... words) {
        return InProcess.run(environment, words);
    }

    @Test
    void the_store_on_this_machine_needs_no_set_up_and_survives_a_stop() throws IOException {
        environment.put("INTERLOCK_HOME", newHome().toString());
        assertThat(run("store", "status").out()).contains("Status  absent");
        assertThat(run("locks", "acquire", "x", "-q")).isEqualTo(new Said(0, "1\n", ""));
        assertThat(run("store", "status").out()).contains("Status         running");
        assertThat(run("store", "stop").err()).startsWith("interlock: Stopped the store on this machine (");
        assertThat(run("store", "status").out()).contains("Status      stopped");
        assertThat(run("locks", "list", "-o", "json").out()).contains("\"name\": \"x\"");
        assertThat(run("store", "upgrade").err()).contains("is up to date: PostgreSQL 18.6");
        assertThat(run("doctor").code()).isEqualTo(0);
        run("store", "stop");
    }

    @Test
    void a_new_database_of_somebody_elses_gets_its_tables_and_one_line_says_so() throws SQLException {
        other.execute("postgres", "CREATE DATABASE fresh");
        environment.put("PGPASSWORD", OtherServer.PASSWORD);
        String store = other.address(OtherServer.ADMIN, "fresh");
        assertThat(run("--store", store, "locks", "acquire", "x").err())
                .startsWith("interlock: Created the tables of Interlock (schema \"interlock\") in " + store + ".\n"
                        + "interlock: Acquired lock 'x' with token 1");
        assertThat(run("--store", store, "locks", "list", "-o", "json").err()).isEmpty();
        assertThat(run("--store", store, "store", "status").out()).contains("PostgreSQL  18.6");
        assertThat(run("--store", store, "doctor"))
                .satisfies(said -> assertThat(said.code()).isEqualTo(0))
                .satisfies(said -> assertThat(said.out()).contains("ok    store: " + store + " answers\n"));
    }

    @Test
    void a_store_that_was_restored_goes_on_above_all_tokens_it_may_have_handed_out() throws SQLException {
        other.execute("postgres", "CREATE DATABASE restored");
        environment.put("PGPASSWORD", OtherServer.PASSWORD);
        String store = other.address(OtherServer.ADMIN, "restored");
        assertThat(run("--store", store, "store", "recover").code()).isEqualTo(0);
        Said early = run("--store", store, "locks", "acquire", "x", "-q");
        assertThat(early.code()).isEqualTo(69);
        assertThat(early.err()).hasLineCount(1);
        other.execute("restored", "UPDATE interlock.store SET grants_resume_at = '-infinity'");
        Said later = run("--store", store, "locks", "acquire", "x", "-q");
        assertThat(later.code()).isEqualTo(0);
        assertThat(Long.parseLong(later.out().strip())).isGreaterThan(1L << 32);
    }

    @Test
    void a_user_without_rights_is_told_what_to_do() throws SQLException {
        other.execute("postgres", "CREATE DATABASE closed", "CREATE ROLE poor LOGIN PASSWORD 'canary-1'");
        String store = other.address("poor", "closed");
        environment.put("INTERLOCK_STORE", store.replace("poor@", "poor:canary-1@"));
        assertThat(run("locks", "list"))
                .isEqualTo(new Said(
                        77,
                        "",
                        "interlock: The tables of Interlock are not there yet, and this user may not create them in "
                                + store + ". Let its owner run: interlock store upgrade --store " + store + "\n"));
    }

    @Test
    void a_wrong_password_is_refused_and_shown_nowhere() {
        environment.put("PGPASSWORD", "canary-2");
        String store = other.address(OtherServer.ADMIN, "postgres");
        Said said = run("--store", store, "locks", "list", "--debug");
        assertThat(said.code()).isEqualTo(77);
        assertThat(said.err()).doesNotContain("canary");
        Said report = run("--store", store, "doctor", "-o", "json");
        assertThat(report.code()).isEqualTo(1);
        assertThat(report.out()).contains("\"level\": \"fail\"").doesNotContain("canary");
    }

    @Test
    void a_missing_database_and_a_silent_host_are_told_apart() {
        environment.put("PGPASSWORD", OtherServer.PASSWORD);
        assertThat(run("--store", other.address(OtherServer.ADMIN, "nowhere"), "locks", "list")
                        .code())
                .isEqualTo(78);
        assertThat(run("--store", "postgres://127.0.0.1:1/x", "locks", "list").code())
                .isEqualTo(69);
    }

    @Test
    void a_schema_of_a_newer_program_is_left_alone() throws SQLException {
        other.execute("postgres", "CREATE DATABASE newer");
        environment.put("PGPASSWORD", OtherServer.PASSWORD);
        String store = other.address(OtherServer.ADMIN, "newer");
        run("--store", store, "locks", "list");
        other.execute("newer", "UPDATE interlock.store SET schema_version = 99");
        Said said = run("--store", store, "run", "--lock", "x", "--", "true");
        assertThat(said.code()).isEqualTo(78);
        assertThat(said.err()).contains("version 99").hasLineCount(1);
    }

    @Test
    void a_database_that_cannot_be_written_is_told_apart() throws SQLException {
        other.execute("postgres", "CREATE DATABASE frozen");
        environment.put("PGPASSWORD", OtherServer.PASSWORD);
        String store = other.address(OtherServer.ADMIN, "frozen");
        run("--store", store, "locks", "list");
        other.execute("frozen", "ALTER DATABASE frozen SET default_transaction_read_only = on");
        Said said = run("--store", store, "run", "--lock", "x", "--", "true");
        assertThat(said.code()).isEqualTo(69);
        assertThat(said.err()).hasLineCount(1);
    }

    @Test
    void an_upgrade_to_another_server_carries_every_record_over() throws Exception {
        environment.put("INTERLOCK_HOME", home.toString());
        run("locks", "acquire", "carried/over", "--execution", "e-1", "--ttl", "1h");
        Path empty = newHome();
        EmbeddedPostgres target = new EmbeddedPostgres(empty, notice -> {});
        new CopyOfStore().copy(address, target.address());
        environment.put("INTERLOCK_HOME", empty.toString());
        Said said = run("locks", "list", "--filter", "prefix=carried/", "-o", "json");
        assertThat(said.out()).contains("\"name\": \"carried/over\"", "\"execution\": \"e-1\"");
    }
}
