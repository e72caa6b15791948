package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Locks on a table, as a user of the command line has them. */
class DynamoIT {
    private static final int UNREACHABLE = 69;
    private static final int BUSY = 75;
    private static final int FORBIDDEN = 77;
    private static final int MISCONFIGURED = 78;
    private static final int USAGE = 64;

    private static Homes homes;
    private static DynamoLocal server;
    private static Cli interlock;

    @BeforeAll
    static void startServer() throws IOException {
        homes = new Homes();
        server = DynamoLocal.start();
        interlock = Cli.in(homes.path("home"))
                .with("AWS_ACCESS_KEY_ID", "test")
                .with("AWS_SECRET_ACCESS_KEY", "canary")
                .with("AWS_EC2_METADATA_DISABLED", "true");
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException {
        server.close();
        homes.close();
    }

    private static Cli at(String table) {
        return interlock.with("INTERLOCK_STORE", server.address(table));
    }

    private static void assertOneSentence(Running.Result result, int status, String part) {
        assertThat(result.status()).as(result.err()).isEqualTo(status);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .hasLineCount(1)
                .startsWith("interlock: ")
                .contains(part)
                .doesNotContain("Exception", "\tat ", "null", "canary");
    }

    @Test
    void a_table_is_created_once_and_then_locks_are_kept_in_it() {
        String address = server.address("locks-of-a-team");

        Running.Result first = interlock.run("dynamodb", "create-table", "--store", address);
        assertThat(first).isEqualTo(new Running.Result(0, "", "interlock: Created the table " + address + ".\n"));
        assertThat(interlock.run("dynamodb", "create-table", "--store", address).err())
                .contains("was there already");

        Cli team = at("locks-of-a-team");
        assertThat(team.run("run", "--lock", "prod/db", "--", "printenv", "INTERLOCK_TOKEN"))
                .isEqualTo(new Running.Result(0, "1\n", ""));
        assertThat(team.run("locks", "acquire", "prod/db").status()).isZero();
        Running.Result refused = team.run("run", "--lock", "prod/db", "--", "true");
        assertThat(refused.status()).isEqualTo(BUSY);
        assertThat(refused.err()).contains("prod/db");
        assertThat(team.run("locks", "list").out()).contains("prod/db");
        assertThat(team.run("locks", "release", "prod/db", "--force", "--reason", "tried", "--now")
                        .status())
                .isZero();
        assertThat(team.run("run", "--lock", "prod/db", "--wait", "1m", "--", "printenv", "INTERLOCK_TOKEN"))
                .isEqualTo(new Running.Result(0, "3\n", ""));
        assertThat(team.run("locks", "history", "prod/db").out()).contains("released", "forced");
        assertThat(team.run("doctor").status()).isZero();
    }

    @Test
    void what_is_wrong_with_the_store_is_told_in_one_sentence() {
        Cli without = at("nowhere");
        assertOneSentence(without.run("run", "--lock", "x", "--", "true"), MISCONFIGURED, "no table 'nowhere'");
        assertOneSentence(
                without.with("AWS_ACCESS_KEY_ID", "")
                        .with("AWS_SECRET_ACCESS_KEY", "")
                        .with("HOME", homes.path("nobody").toString())
                        .run("run", "--lock", "x", "--", "true"),
                FORBIDDEN,
                "no AWS credentials");
        assertOneSentence(
                interlock.run("run", "--store", "dynamodb://locks?region=mars-north-1", "--lock", "x", "--", "true"),
                UNREACHABLE,
                "Check the region");
        assertOneSentence(
                interlock.run("run", "--store", "dynamodb://a:canary@locks", "--lock", "x", "--", "true"),
                USAGE,
                "no user and no password");
        assertOneSentence(
                interlock.run("dynamodb", "create-table", "--store", "dynamodb://x?region=eu-central-1"),
                USAGE,
                "no name of a table");
        assertOneSentence(
                interlock.run("dynamodb", "create-table", "--store", "postgres://db/x"),
                USAGE,
                "Only a store on DynamoDB");
    }
}
