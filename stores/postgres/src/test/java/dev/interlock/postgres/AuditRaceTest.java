package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.EventFilter;
import dev.interlock.core.audit.Position;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.Sealing;
import dev.interlock.core.audit.Slice;
import dev.interlock.core.audit.StillTrail;
import dev.interlock.core.audit.Verification;
import dev.interlock.core.audit.Verifier;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody writes, seals and prunes while the trail is verified: that is no flaw of it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class AuditRaceTest extends TrailTest {
    // verify                                     others
    // reads the seals
    //                                            write an event, and seal it
    // reads the events under each seal, the
    // seals that follow, and what is not sealed: the trail as it was when it began
    @Test
    void what_is_written_and_sealed_in_the_middle_of_a_verification_is_not_part_of_it() {
        use(5);
        seal();
        use(2);
        Verification before = Verifier.verify(audit, null);

        Verification meanwhile = Verifier.verify(new Disturbed(audit, audit::still, this::writeAndSeal), null);

        assertThat(meanwhile).isInstanceOf(Verification.Whole.class).isEqualTo(before);
        assertThat(Verifier.verify(audit, null).tally())
                .extracting("events", "unsealed")
                .containsExactly(8L, 0L);
    }

    private void writeAndSeal() {
        use(1);
        seal();
    }

    // verify                                     the pruner
    // reads the seals and what they list
    //                                            removes the events under them
    // reads the events: a trail read piece by
    // piece would miss all of them
    @Test
    void what_is_pruned_in_the_middle_of_a_verification_is_not_missing() {
        old(5);

        Verification meanwhile = Verifier.verify(new Disturbed(audit, audit::still, this::prune), null);

        assertThat(meanwhile).isInstanceOf(Verification.Whole.class);
        assertThat(meanwhile.tally()).extracting("events", "pruned").containsExactly(5L, 0L);
        assertThat(Verifier.verify(audit, null).tally().pruned()).isEqualTo(5);
    }

    /** The canary: the same with a trail that is read piece by piece. */
    @Test
    void a_verification_of_a_trail_that_moves_is_caught_by_this() {
        old(5);

        Verification meanwhile = Verifier.verify(new Disturbed(audit, () -> new Moving(audit), this::prune), null);

        assertThat(meanwhile).isInstanceOf(Verification.Flawed.class);
    }

    private void old(int events) {
        use(events);
        Server.execute(database, "UPDATE interlock.history SET ended_at = ended_at - interval '91 days'");
        seal();
    }

    private void prune() {
        store.prune(Duration.ofDays(90));
    }

    private void seal() {
        try (PostgresAudit other = new PostgresAudit(database)) {
            while (other.seal(2) instanceof Sealing.Done) {
                // there may be more
            }
        }
    }

    /** Something happens once the first seals have been read. */
    private record Disturbed(AuditTrail trail, Supplier<StillTrail> opened, Runnable disturbance)
            implements AuditTrail {
        @Override
        public StillTrail still() {
            StillTrail still = opened.get();
            return new StillTrail() {
                private boolean disturbed;

                @Override
                public List<Seal> seals(long after, int most) {
                    List<Seal> seals = still.seals(after, most);
                    if (!disturbed) {
                        disturbed = true;
                        disturbance.run();
                    }
                    return seals;
                }

                @Override
                public List<Event> under(Seal seal) {
                    return still.under(seal);
                }

                @Override
                public void unsealed(Consumer<Event> each) {
                    still.unsealed(each);
                }

                @Override
                public void close() {
                    still.close();
                }
            };
        }

        @Override
        public Position settled() {
            return trail.settled();
        }

        @Override
        public Slice read(EventFilter filter, Position after, int most) {
            return trail.read(filter, after, most);
        }

        @Override
        public List<Event> latest(EventFilter filter, int most) {
            return trail.latest(filter, most);
        }

        @Override
        public Sealing seal(int most) {
            return trail.seal(most);
        }

        @Override
        public void close() {
            // It is the test's.
        }
    }

    /** Each verb sees another moment. */
    private record Moving(AuditTrail trail) implements StillTrail {
        @Override
        public List<Seal> seals(long after, int most) {
            try (StillTrail now = trail.still()) {
                return now.seals(after, most);
            }
        }

        @Override
        public List<Event> under(Seal seal) {
            try (StillTrail now = trail.still()) {
                return now.under(seal);
            }
        }

        @Override
        public void unsealed(Consumer<Event> each) {
            try (StillTrail now = trail.still()) {
                now.unsealed(each);
            }
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
