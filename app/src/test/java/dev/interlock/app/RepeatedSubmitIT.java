package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A hundred callers in three processes ask for the same at the same moment. */
class RepeatedSubmitIT {
    private static Workforce force;

    @BeforeAll
    static void startStore() throws IOException, SQLException {
        force = Workforce.declaring("workflows: {again: {}}");
        force.say("workflows", "apply", force.declarations().toString());
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException, SQLException {
        force.close();
    }

    private static Process start(int callers, String key) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Submitters.class.getName(),
                "" + callers,
                key);
        builder.environment().put("INTERLOCK_HOME", force.path("home").toString());
        builder.environment().remove("INTERLOCK_STORE");
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** What all of them are told. */
    private static List<String> storm(String key, int... callers) throws IOException {
        List<Process> processes = new ArrayList<>();
        List<BufferedReader> voices = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        try {
            for (int count : callers) {
                Process process = start(count, key);
                processes.add(process);
                voices.add(process.inputReader());
            }
            for (BufferedReader voice : voices) {
                assertThat(voice.readLine()).isEqualTo("ready");
            }
            for (Process process : processes) {
                try (OutputStream go = process.getOutputStream()) {
                    go.write('\n');
                }
            }
            for (BufferedReader voice : voices) {
                voice.lines().forEach(answers::add);
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
        return answers;
    }

    private static Set<String> executions(List<String> answers) {
        Set<String> executions = new HashSet<>();
        answers.forEach(answer -> executions.add(answer.split(" ", -1)[1]));
        return executions;
    }

    private static long kept(String key) {
        return force.server()
                .number("SELECT count(*) FROM interlock.execution WHERE idempotency_key LIKE '" + key + "%'");
    }

    @Test
    void one_key_is_one_execution_and_everybody_is_told_which() throws IOException {
        List<String> answers = storm("one", 33, 34, 33);

        assertThat(answers).hasSize(100);
        assertThat(answers).filteredOn(answer -> answer.startsWith("New ")).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.startsWith("Repeated ")).hasSize(99);
        assertThat(executions(answers)).hasSize(1);
        assertThat(kept("one")).isEqualTo(1);
        assertThat(force.server()
                        .number("SELECT count(*) FROM interlock.history WHERE event = 'REQUESTED'"
                                + " AND execution = '"
                                + executions(answers).iterator().next() + "'"))
                .isEqualTo(1);
    }

    /** The counting can tell many from one. */
    @Test
    void as_many_keys_are_as_many_executions() throws IOException {
        List<String> answers = storm("each-#", 4, 4);

        assertThat(executions(answers)).hasSize(8);
        assertThat(kept("each-")).isEqualTo(8);
    }
}
