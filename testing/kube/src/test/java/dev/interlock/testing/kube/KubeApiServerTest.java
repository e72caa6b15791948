package dev.interlock.testing.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KubeApiServerTest {
    @TempDir
    Path empty;

    @Test
    void without_binaries_a_test_fails_under_ci_and_is_aborted_elsewhere() {
        Map<String, String> nothing = Map.of("XDG_CACHE_HOME", empty.toString(), "PATH", "");
        Map<String, String> ci = Map.of("XDG_CACHE_HOME", empty.toString(), "PATH", "", "CI", "true");

        assertThatThrownBy(() -> KubeApiServer.binaries(nothing))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("go is not installed");
        assertThatThrownBy(() -> KubeApiServer.binaries(ci)).isInstanceOf(AssertionError.class);
    }

    @Test
    void named_binaries_come_before_the_cache() throws Exception {
        for (String name : List.of("etcd", "kube-apiserver")) {
            assertThat(Files.createFile(empty.resolve(name)).toFile().setExecutable(true))
                    .isTrue();
        }

        assertThat(new Binaries(Map.of("KUBEBUILDER_ASSETS", empty.toString())).find())
                .isEqualTo(empty);
    }

    @Test
    void a_server_that_was_killed_comes_back_at_its_address() {
        try (KubeApiServer server = KubeApiServer.start()) {
            String before = server.url();
            server.crash();
            server.restart();

            assertThat(server.url()).isEqualTo(before);
        }
    }

    /** The guard is all that ends a server whose JVM was killed: it must act on the end of its pipe alone. */
    @Test
    void a_server_ends_with_the_pipe_that_leads_to_it() throws Exception {
        Path log = empty.resolve("log");
        GuardedProcess sleeper = GuardedProcess.start(List.of("/bin/sh", "-c", "echo $$; exec sleep 1000"), log);
        while (Files.size(log) == 0) {
            Thread.onSpinWait();
        }
        ProcessHandle server =
                ProcessHandle.of(Long.parseLong(Files.readString(log).strip())).orElseThrow();
        assertThat(server.isAlive()).isTrue();

        sleeper.kill();

        assertThat(sleeper.isAlive()).isFalse();
        server.onExit().join();
    }
}
