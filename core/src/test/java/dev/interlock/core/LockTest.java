package dev.interlock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LockTest {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

    private static Lock lock(Lock.Status status, Instant seenAt) {
        Holder holder = new Holder("exec-7", 1, "ci-7:1:a", "alice");
        Lock.Grant grant = new Lock.Grant(holder, new UUID(0, 1), NOON, NOON, NOON.plusSeconds(30), null, null);
        return new Lock(LockName.of("prod/db"), 7, status, grant, 0, null, seenAt);
    }

    @ParameterizedTest
    @CsvSource({"ACTIVE, true", "RELEASING, true", "RELEASED, false", "EXPIRED, false"})
    void a_lock_is_held_until_its_holder_has_stopped(Lock.Status status, boolean held) {
        assertThat(lock(status, NOON).isHeld()).isEqualTo(held);
    }

    @Test
    void what_is_left_of_a_lease_is_never_negative() {
        assertThat(lock(Lock.Status.ACTIVE, NOON.plusSeconds(10)).remaining()).isEqualTo(Duration.ofSeconds(20));
        assertThat(lock(Lock.Status.ACTIVE, NOON.plusSeconds(40)).remaining()).isZero();
        assertThat(lock(Lock.Status.RELEASED, NOON).remaining()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Lock.Status.class)
    void a_status_has_the_word_that_people_know(Lock.Status status) {
        assertThat(status.word()).isEqualToIgnoringCase(status.name()).isLowerCase();
    }

    @ParameterizedTest
    @CsvSource({
        "EXPIRED, its lease ended before it was renewed",
        "SUPERSEDED, it has been granted to another holder",
        "ALREADY_RELEASED, it had been released",
        "HELD_TOO_LONG, it reached its maximum hold time",
        "FORGOTTEN, the store does not know this grant",
        "UNCONFIRMED, the store did not confirm a renewal in time",
    })
    void a_loss_ends_the_sentence_about_it(Loss.Cause cause, String words) {
        assertThat(new LockLost(LockName.of("prod/db"), cause))
                .hasMessage("Lock 'prod/db' is not yours any more: " + words + ".");
    }

    @Test
    void a_forced_loss_says_who_and_why() {
        assertThat(new Loss.ForcedBy("bob", "host is gone").sentence()).isEqualTo("forced by bob (host is gone)");
    }
}
