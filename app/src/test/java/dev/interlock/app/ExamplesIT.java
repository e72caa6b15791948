package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The examples that need the whole program, as their READMEs say to start them. */
class ExamplesIT {
    private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath().normalize();

    private static Homes homes;
    private static Cli interlock;

    @BeforeAll
    static void startStore() throws IOException {
        homes = new Homes();
        interlock = Cli.in(homes.path("home"));
        Server.started(homes.path("home"));
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException {
        homes.close();
    }

    @Test
    void a_cluster_is_created_although_its_worker_is_killed() {
        Running.Result demo = interlock
                .at(EXAMPLES.resolve("cluster/demo.sh"))
                .with("INTERLOCK", interlock.launcher().toString())
                .run();

        assertThat(demo.status()).as(demo.out() + demo.err()).isZero();
        assertThat(demo.out())
                .containsSubsequence(
                        "clusters/blue: network = 10.0.0.0/16",
                        "Token        1",
                        "kill -KILL",
                        "clusters/blue: workers = 3",
                        "exit code 0",
                        "READY",
                        "released  2",
                        "expired   1",
                        "The trail is whole");
    }

    @Test
    void terraform_is_applied_with_what_was_asked_for() throws IOException {
        withTerraform(interlock, () -> {
            Running.Result applied = apply("prod/applied", "5");

            assertThat(applied.status()).as(applied.out() + applied.err()).isZero();
            assertThat(applied.out()).contains("Apply complete!");
        });
    }

    @Test
    void a_plan_that_is_wrong_fails_the_pipeline_and_is_not_tried_again() throws IOException {
        withTerraform(interlock, () -> assertRefused(apply("prod/wrong", "17"), "prod/wrong"));
    }

    @Test
    void where_there_is_no_terraform_a_stand_in_says_so() throws IOException {
        withTerraform(interlock.with("PATH", pathWithoutTerraform()), () -> {
            Running.Result applied = apply("prod/stand-in", "5");
            assertThat(applied.status()).as(applied.out() + applied.err()).isZero();
            assertThat(applied.err()).contains("there is no terraform on the PATH");
            assertRefused(apply("prod/stand-in", "17"), "prod/stand-in");
        });
    }

    private static void assertRefused(Running.Result result, String target) throws IOException {
        assertThat(result.status()).as(result.out() + result.err()).isEqualTo(1);
        assertThat(result.err()).contains("A network has 1 to 16 subnets.");
        JsonNode ending = failed(target).get("ending");
        assertThat(ending.get("code").asText()).isEqualTo("EXIT_1");
        assertThat(ending.get("retry_class").asText()).isEqualTo("PERMANENT");
    }

    private static JsonNode failed(String target) throws IOException {
        String answer = interlock
                .run("executions", "list", "--target", target, "--phase", "failed", "-o", "json")
                .out();
        return new ObjectMapper().readTree(answer).findParents("ending").getFirst();
    }

    private interface Story {
        void happens() throws IOException;
    }

    private static void withTerraform(Cli cli, Story story) throws IOException {
        Running worker = cli.start(
                "worker", "-d", EXAMPLES.resolve("terraform/workflows.yaml").toString());
        try {
            Running.await(
                    "a worker; it said: " + worker.err(), () -> worker.err().contains("executions at once"));
            story.happens();
        } finally {
            worker.signal("TERM");
            worker.result();
        }
    }

    private static Running.Result apply(String target, String subnets) {
        return interlock.run(
                "executions",
                "submit",
                "terraform-apply",
                target,
                "-p",
                "STATE=" + homes.path("states"),
                "-p",
                "TF_VAR_subnets=" + subnets,
                "--follow");
    }

    private static String pathWithoutTerraform() {
        return Stream.of(System.getenv("PATH").split(":"))
                .filter(directory -> !Files.exists(Path.of(directory, "terraform")))
                .collect(Collectors.joining(":"));
    }
}
