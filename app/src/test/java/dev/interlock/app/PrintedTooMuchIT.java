package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.work.LogStore;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Commands that print more than anybody wants to keep, or while nothing can be kept. */
class PrintedTooMuchIT {
    private static final String DECLARATIONS = """
            workflows:
              chatter:
                command: [sh, -c, 'echo first; yes | head -c 30000000; echo last']
              chatter-on:
                command: [sh, -c, 'echo first; yes']
                timeout: 3s
                retry: none
              whisper:
                command: [sh, -c, 'for i in 1 2 3; do echo $i; sleep 0.3; done']
            """;

    /** As PostgreSQL refuses when its disk is full. */
    private static final String FULL = """
            CREATE FUNCTION public.full() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN RAISE EXCEPTION ''no space left on device'' USING ERRCODE = ''53100''; END';
            CREATE TRIGGER "full" BEFORE INSERT ON interlock.log EXECUTE FUNCTION public.full()""";

    private static Workforce force;

    @BeforeAll
    static void startStore() throws IOException, SQLException {
        force = Workforce.declaring(DECLARATIONS);
        force.hire();
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException, SQLException {
        force.close();
    }

    private static long kept(String execution) {
        return force.server()
                .number("SELECT sum(length(bytes)) FROM interlock.log WHERE execution = '" + execution + "'");
    }

    @Test
    void of_a_command_that_prints_much_the_beginning_and_the_end_are_kept() {
        String execution = force.submit("chatter", "much", List.of());

        force.awaitPhase(execution, "COMPLETED");

        assertThat(kept(execution)).isBetween(1L, (long) LogStore.MAX_BYTES);
        assertThat(force.say("executions", "logs", execution).out()).startsWith("first\n");
    }

    @Test
    void a_command_that_never_stops_printing_is_stopped_by_its_timeout_and_its_log_is_bounded() {
        String execution = force.submit("chatter-on", "endless", List.of());

        force.awaitPhase(execution, "FAILED");

        assertThat(force.say("executions", "show", execution).out()).contains("TIMEOUT");
        assertThat(kept(execution)).isBetween(1L, (long) LogStore.MAX_BYTES);
    }

    @Test
    void a_log_that_cannot_be_kept_does_the_command_no_harm() {
        force.server().execute(FULL);
        try {
            String execution = force.submit("whisper", "full", List.of());

            force.awaitPhase(execution, "COMPLETED");

            assertThat(kept(execution)).isZero();
        } finally {
            force.server().execute("DROP FUNCTION public.full() CASCADE");
        }
        String execution = force.submit("whisper", "empty", List.of());
        force.awaitPhase(execution, "COMPLETED");
        assertThat(kept(execution)).isEqualTo(6);
    }
}
