package dev.interlock.core.audit;

import static dev.interlock.core.audit.Events.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.audit.Replay.Present;
import dev.interlock.core.audit.Replay.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplayTest {
    @Test
    void no_events_no_present() {
        assertThat(Replay.of(List.of())).isEqualTo(new Present(null, null, Map.of(), null));
    }

    @Test
    void a_running_execution_holds_until_its_tenure_has_ended() {
        Event requested = event(1, "REQUESTED", 0, "e1", 0, "PENDING", null);
        Event granted = event(2, "GRANTED", 7, "e1", 1, "RUNNING", "CREATING");
        Event released = event(3, "RELEASED", 7, "e1", 1, "COMPLETED", "READY");

        assertThat(Replay.of(List.of(requested, granted)))
                .isEqualTo(new Present(null, granted, Map.of("e1", new Standing("RUNNING", 1)), "CREATING"));
        assertThat(Replay.of(List.of(requested, granted, released)))
                .isEqualTo(new Present(released, null, Map.of("e1", new Standing("COMPLETED", 1)), "READY"));
    }

    @Test
    void the_end_of_an_earlier_tenure_ends_no_later_one() {
        Event expired = event(2, "EXPIRED", 7, "e1", 1, "PENDING", null);
        Event granted = event(2, "GRANTED", 8, "e1", 2, "RUNNING", null);

        assertThat(Replay.of(List.of(granted, expired)))
                .isEqualTo(new Present(expired, granted, Map.of("e1", new Standing("RUNNING", 2)), null));
    }

    /** A transaction that was numbered first may have come to the target last. */
    @Test
    void the_order_in_which_events_are_read_does_not_matter() {
        List<Event> events = new ArrayList<>();
        for (int token = 1; token <= 20; token++) {
            events.add(event(3L * token, "REFUSED", token, "other", 1, null, null));
            events.add(event(3L * token + 1, "GRANTED", token, "e" + token % 3, token, "RUNNING", "BUSY"));
            events.add(event(3L * token + 2, "RELEASED", token, "e" + token % 3, token, "COMPLETED", "READY"));
        }
        Present present = Replay.of(events);
        for (int seed = 0; seed < 50; seed++) {
            Collections.shuffle(events, new Random(seed));
            assertThat(Replay.of(events)).isEqualTo(present);
        }
        assertThat(present.executions())
                .isEqualTo(Map.of(
                        "e0", new Standing("COMPLETED", 18),
                        "e1", new Standing("COMPLETED", 19),
                        "e2", new Standing("COMPLETED", 20)));
    }

    private static Event event(
            long second, String event, long token, String execution, int attempt, String phase, String state) {
        return new Event(
                new Position(1000 - second, second),
                "prod/db",
                token,
                event,
                execution,
                attempt,
                "host:1:ab",
                "alice",
                NOON,
                NOON.plusSeconds(second),
                null,
                null,
                false,
                null,
                null,
                phase,
                state);
    }
}
