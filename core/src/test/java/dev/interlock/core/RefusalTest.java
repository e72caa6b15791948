package dev.interlock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalTest {
    private static final Instant SINCE = Instant.parse("2026-11-16T14:02:15.123Z");
    private static final Instant UNTIL = Instant.parse("2026-11-16T14:32:15.999Z");
    private static final Instant NOW = Instant.parse("2026-11-16T14:10:00Z");

    private Lock.Status status = Lock.Status.ACTIVE;
    private Instant since = SINCE;
    private Instant until = UNTIL;
    private int waiting = 2;
    private @Nullable Maintenance maintenance;
    private String name = "terraform-prod";

    private Lock lock() {
        Holder holder = new Holder("exec-abc123", 1, "ci-7:4711:f00", "alice@example.com");
        Lock.Grant grant = new Lock.Grant(holder, new UUID(0, 1), since, since, until, maintenance, null);
        return new Lock(LockName.of(name), 42, status, grant, waiting, null, NOW);
    }

    @Test
    void a_conflict_says_who_holds_since_when_and_what_to_do() {
        assertThat(new Refusal.Busy(lock()).sentence())
                .isEqualTo("Blocked: lock 'terraform-prod' is held by execution exec-abc123 (alice@example.com on ci-7)"
                        + " since 14:02:15Z, lease until 14:32:15Z, token 42; 2 waiting."
                        + " Wait with --wait 10m, or see: interlock why terraform-prod");
    }

    @Test
    void nobody_waiting_is_not_mentioned() {
        waiting = 0;

        assertThat(new Refusal.Busy(lock()).sentence()).contains("token 42. Wait with");
    }

    @Test
    void another_day_is_named_in_full() {
        since = Instant.parse("2026-11-15T23:59:59Z");
        until = Instant.parse("2026-11-17T00:00:00Z");

        assertThat(new Refusal.Busy(lock()).sentence())
                .contains("since 2026-11-15T23:59:59Z, lease until 2026-11-17T00:00:00Z,");
    }

    @Test
    void a_lock_on_its_way_to_the_next_is_being_released() {
        status = Lock.Status.RELEASING;

        assertThat(new Refusal.Busy(lock()).sentence())
                .startsWith("Blocked: lock 'terraform-prod' is being released by execution exec-abc123");
    }

    @Test
    void a_free_lock_with_others_ahead_says_so() {
        status = Lock.Status.RELEASED;

        assertThat(new Refusal.Busy(lock()).sentence())
                .isEqualTo("Blocked: lock 'terraform-prod' is free, but 2 waiting are ahead; last token 42."
                        + " Wait with --wait 10m, or see: interlock why terraform-prod");
    }

    @Test
    void maintenance_is_shown_with_its_reason_and_ticket() {
        maintenance = new Maintenance("new disks", "OPS-7");

        assertThat(new Refusal.Busy(lock()).sentence())
                .isEqualTo(
                        "Blocked: lock 'terraform-prod' is held for maintenance by alice@example.com since 14:02:15Z,"
                                + " until 14:32:15Z: new disks [OPS-7]; token 42; 2 waiting."
                                + " Wait with --wait 10m, or see: interlock why terraform-prod");
    }

    @Test
    void maintenance_without_a_ticket_has_no_brackets() {
        maintenance = new Maintenance("new disks", null);

        assertThat(new Refusal.Busy(lock()).sentence()).contains(": new disks; token 42");
    }

    @Test
    void maintenance_that_is_over_holds_nothing() {
        maintenance = new Maintenance("new disks", "OPS-7");
        status = Lock.Status.RELEASED;

        assertThat(new Refusal.Busy(lock()).sentence()).contains("is free, but 2 waiting are ahead");
    }

    @Test
    void a_closed_lock_says_when_it_opens() {
        status = Lock.Status.RELEASED;

        assertThat(new Refusal.Cooling(lock(), Instant.parse("2026-11-16T14:15:00Z")).sentence())
                .isEqualTo("Blocked: lock 'terraform-prod' is closed until 14:15:00Z after execution exec-abc123"
                        + " (alice@example.com on ci-7) ended; token 42."
                        + " Wait with --wait 10m, or see: interlock why terraform-prod");
    }

    @Test
    void a_full_queue_says_how_long_it_may_be() {
        assertThat(new Refusal.QueueFull(lock(), 2).sentence())
                .startsWith("Blocked: lock 'terraform-prod' is held by execution exec-abc123")
                .endsWith("token 42; 2 waiting, and the queue is full (limit 2)."
                        + " Try again later, or see: interlock why terraform-prod");
    }

    @Test
    void waiting_in_vain_says_for_how_long_and_for_whom() {
        assertThat(new Refusal.WaitedTooLong(LockName.of(name), Duration.ofMinutes(10), lock()).sentence())
                .startsWith("Gave up waiting for lock 'terraform-prod' after 10m: lock 'terraform-prod' is held by")
                .endsWith("2 waiting. Wait longer with --wait, or see: interlock why terraform-prod");
        assertThat(new Refusal.WaitedTooLong(LockName.of(name), Duration.ofMinutes(10), null).sentence())
                .isEqualTo("Gave up waiting for lock 'terraform-prod' after 10m."
                        + " Wait longer with --wait, or see: interlock why terraform-prod");
    }

    @ParameterizedTest
    @CsvSource({"PT0.25S, 250 ms", "PT1.9S, 1s", "PT90S, 1m30s", "PT26H, 26h", "PT0S, 0 ms"})
    void durations_are_spoken(Duration waited, String spoken) {
        assertThat(new Refusal.WaitedTooLong(LockName.of(name), waited, null).sentence())
                .contains("after " + spoken + ".");
    }

    @Test
    void a_cancelled_wait_says_where_to_look() {
        assertThat(new Refusal.Cancelled(LockName.of(name)).sentence())
                .isEqualTo("The wait for lock 'terraform-prod' was cancelled by somebody;"
                        + " see: interlock locks history terraform-prod");
    }

    @Test
    void the_command_in_the_sentence_can_be_pasted_into_a_shell() {
        name = "it's $HOME; rm";

        assertThat(new Refusal.Busy(lock()).sentence()).endsWith("interlock why 'it'\\''s $HOME; rm'");
    }
}
