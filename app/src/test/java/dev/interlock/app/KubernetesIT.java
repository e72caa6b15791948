package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testing.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The command on a namespace of a real API server. */
class KubernetesIT {
    private static final String STORE = "kubernetes://default";
    private static final int HELD = 75;
    private static final int UNAVAILABLE = 69;
    private static final int FORBIDDEN = 77;
    private static final int MISCONFIGURED = 78;
    private static final int USAGE = 64;

    private static Homes homes;
    private static KubeApiServer server;
    private static Cli interlock;

    @BeforeAll
    static void startServer() throws IOException {
        homes = new Homes();
        server = KubeApiServer.start("nobody");
        interlock = as(KubeApiServer.ADMIN).with("POD_NAME", "web-7d9f");
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException {
        if (server != null) {
            server.close();
        }
        homes.close();
    }

    private static Cli as(String user) {
        return Cli.in(homes.path("home"))
                .with("KUBECONFIG", server.kubeconfig(user, "default").toString());
    }

    private static void assertOneSentence(Running.Result result, int status, String part) {
        assertThat(result.status()).as(result.err()).isEqualTo(status);
        assertThat(result.err())
                .hasLineCount(1)
                .startsWith("interlock: ")
                .contains(part)
                .doesNotContain("Exception", "\tat ", "null");
    }

    @Test
    void a_command_runs_under_a_lock_that_nobody_else_has_meanwhile() throws IOException {
        Path inside = homes.path("inside");
        Running first = interlock.start(
                "run",
                "--store",
                STORE,
                "--lock",
                "prod/db",
                "--",
                "sh",
                "-c",
                "touch " + inside + "; while [ -e " + inside + " ]; do sleep 0.1; done");
        while (!Files.exists(inside)) {
            Thread.onSpinWait();
        }

        Running.Result second = interlock.run("run", "--store", STORE, "--lock", "prod/db", "--", "true");
        assertThat(second.status()).as(second.err()).isEqualTo(HELD);
        assertThat(second.err()).contains("Blocked: lock 'prod/db' is held by");
        assertThat(interlock.run("locks", "list", "--store", STORE).out()).contains("prod/db", "active");

        Running waiting =
                interlock.start("run", "--store", STORE, "--lock", "prod/db", "--wait", "5m", "--", "echo", "mine");
        while (!interlock
                .run("locks", "list", "--store", STORE, "-o", "json")
                .out()
                .contains("\"waiting\": 1")) {
            Thread.onSpinWait();
        }
        Files.delete(inside);

        assertThat(first.result().status()).isZero();
        Running.Result third = waiting.result();
        assertThat(third.status()).as(third.err()).isZero();
        assertThat(third.out()).isEqualTo("mine\n");
        assertThat(interlock.run("locks", "list", "--store", STORE, "--all").out())
                .contains("released");
    }

    @Test
    void a_lock_whose_record_was_damaged_is_named_beside_the_others_and_granted_to_nobody() {
        for (String name : new String[] {"damaged/one", "whole/one"}) {
            assertThat(interlock
                            .run("locks", "acquire", name, "--store", STORE, "--ttl", "10m")
                            .status())
                    .isZero();
        }
        String object = damage("damaged/one");

        Running.Result list = interlock.run("locks", "list", "--store", STORE);
        assertThat(list.status()).as(list.err()).isZero();
        assertThat(list.out()).contains("whole/one").doesNotContain("damaged/one");
        assertThat(list.err()).contains("interlock: Somebody has edited", "Lease " + object);
        assertThat(interlock
                        .run("locks", "list", "--store", STORE, "-o", "json")
                        .out())
                .contains("\"faults\": [\n    \"Somebody has edited");
        assertThat(interlock.run("doctor", "--store", STORE).out()).contains("Lease " + object);
        assertOneSentence(
                interlock.run("run", "--store", STORE, "--lock", "damaged/one", "--", "true"),
                MISCONFIGURED,
                "Lease " + object);
        delete(object);
    }

    private static String damage(String lock) {
        try (KubernetesClient client = client()) {
            Lease lease = client.leases().inNamespace("default").list().getItems().stream()
                    .filter(each ->
                            lock.equals(each.getMetadata().getAnnotations().get("interlock.dev/name")))
                    .findFirst()
                    .orElseThrow();
            client.resource(lease).edit(found -> {
                found.getMetadata().getAnnotations().put("interlock.dev/record", "{");
                return found;
            });
            return lease.getMetadata().getName();
        }
    }

    private static void delete(String object) {
        try (KubernetesClient client = client()) {
            client.leases().inNamespace("default").withName(object).delete();
        }
    }

    private static KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(
                        server.kubeconfig(KubeApiServer.ADMIN, "default").toFile()))
                .build();
    }

    @Test
    void who_may_not_is_told_so() {
        assertOneSentence(
                as("nobody").run("run", "--store", STORE, "--lock", "x", "--", "true"),
                FORBIDDEN,
                "may not keep locks in namespace 'default'");
    }

    @Test
    void a_namespace_that_is_not_there_is_named() {
        assertOneSentence(
                interlock.run("run", "--store", "kubernetes://nowhere", "--lock", "x", "--", "true"),
                MISCONFIGURED,
                "Namespace 'nowhere' is not there");
    }

    @Test
    void a_context_that_is_not_there_is_named() {
        assertOneSentence(
                interlock.run("run", "--store", STORE + "?context=nowhere", "--lock", "x", "--", "true"),
                MISCONFIGURED,
                "no context 'nowhere'");
    }

    @Test
    void an_address_that_makes_no_sense_is_refused() {
        for (String address : new String[] {"kubernetes://", "kubernetes://Not_A_Namespace", STORE + "?ctx=x"}) {
            assertThat(interlock.run("locks", "list", "--store", address).status())
                    .as(address)
                    .isEqualTo(USAGE);
        }
    }

    @Test
    void a_server_that_does_not_answer_is_named() throws IOException {
        String elsewhere = Files.readString(server.kubeconfig(KubeApiServer.ADMIN, "default"), StandardCharsets.UTF_8)
                .replace(server.url(), "https://127.0.0.1:1");
        Path file = Files.writeString(homes.path("elsewhere.kubeconfig"), elsewhere);

        assertOneSentence(
                interlock.with("KUBECONFIG", file.toString()).run("run", "--store", STORE, "--lock", "x", "--", "true"),
                UNAVAILABLE,
                "127.0.0.1:1 cannot be reached");
    }

    /** Thirty jars that a command on PostgreSQL never opens: they must not cost it its quick start. Declarations need one. */
    @Test
    void the_jars_for_kubernetes_are_not_among_those_of_every_command() throws IOException {
        try (Stream<Path> jars = Files.list(Cli.distribution().resolve("lib"))) {
            assertThat(jars.map(Path::getFileName).map(Path::toString))
                    .noneMatch(jar -> jar.contains("kubernetes-")
                            || jar.contains("jackson")
                            || (jar.contains("yaml") && !jar.startsWith("snakeyaml-engine-")));
        }
        try (Stream<Path> jars = Files.list(Cli.distribution().resolve("lib/kubernetes"))) {
            assertThat(jars.map(Path::getFileName).map(Path::toString))
                    .anyMatch(jar -> jar.startsWith("kubernetes-client-api"))
                    .noneMatch(jar -> jar.contains("testing"));
        }
    }
}
