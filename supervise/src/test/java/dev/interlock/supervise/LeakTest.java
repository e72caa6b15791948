package dev.interlock.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("counts what this process has open")
@Timeout(60)
class LeakTest {
    private final Supervisor supervisor = Supervisor.embedded();

    @Test
    void commands_that_have_ended_leave_no_descriptor_and_no_process() {
        run("true");
        int before = Descriptors.open().cardinality();

        for (int i = 0; i < 10; i++) {
            run("true");
            run("no-such-command");
        }

        assertThat(Descriptors.open().cardinality()).isEqualTo(before);
        assertThat(Processes.guardsAndTimersOf(ProcessHandle.current().pid())).isEmpty();
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    private void run(String word) {
        BootTime deadline = BootTime.now().plus(Duration.ofSeconds(30));
        supervisor.start(Command.of(List.of(word)), deadline).waitFor();
    }
}
