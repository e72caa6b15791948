package dev.interlock.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.LockName;
import dev.interlock.testing.kube.KubeApiServer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What people see who know nothing of Interlock. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KubectlTest {
    private final String namespace = Cluster.freshNamespace();

    private String kubectl(String... words) throws Exception {
        boolean installed = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> new File(directory, "kubectl").canExecute());
        Assumptions.assumeTrue(installed, "kubectl is not installed");
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        "kubectl",
                                        "--kubeconfig",
                                        Cluster.server()
                                                .kubeconfig(KubeApiServer.ADMIN, namespace)
                                                .toString()),
                                Stream.of(words))
                        .toList())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void kubectl_get_leases_shows_who_holds_and_what_for() throws Exception {
        try (Pod pod = Pod.in(namespace, "web-7d9f")) {
            pod.take("prod/db");

            assertThat(kubectl("get", "leases"))
                    .contains(ObjectNames.hashed(LockName.of("prod/db")), "web-7d9f_exec-web-7d9f");
            assertThat(kubectl("describe", "leases"))
                    .contains("interlock.dev/name: prod/db", "interlock.dev/holder: exec-web-7d9f (ann on web-7d9f)")
                    .contains("Lease Duration Seconds:  30", "Lease Transitions:       1");
            assertThat(kubectl("get", "leases", "-o", "jsonpath={.items[0].spec.renewTime}"))
                    .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
        }
    }
}
