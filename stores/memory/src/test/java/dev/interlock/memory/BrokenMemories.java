package dev.interlock.memory;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Past;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Stores whose steps are wrong. */
final class BrokenMemories {
    private BrokenMemories() {}

    static List<Canary> all() {
        return List.of(
                Canary.inMemory(
                        "the token of an expired grant is used again",
                        "an_expired_lock_is_taken_over_by_the_next_request",
                        ReusesTokens::new),
                Canary.inMemory(
                        "tokens start again after pruning",
                        "no_token_returns_after_its_record_was_pruned",
                        StartsAgain::new),
                Canary.inMemory(
                        "a lease counts as alive until somebody takes over",
                        "a_renewal_after_expiry_is_lost_even_if_nobody_has_taken_over",
                        ExpiresLate::new),
                Canary.inMemory(
                        "a lease is taken for dead before its time",
                        "a_lock_is_not_taken_over_before_its_lease_has_ended",
                        ExpiresEarly::new),
                Canary.inMemory(
                        "a takeover leaves the lease as it was",
                        "a_lease_stays_revoked_when_the_clock_is_set_back_after_a_takeover",
                        TakesWithoutRevoking::new),
                Canary.inMemory(
                        "an expired lease frees one of its locks and keeps the others",
                        "all_locks_of_an_expired_lease_are_free",
                        FreesOneOnly::new),
                Canary.inMemory(
                        "a renewal shortens the lease after the clock was set back",
                        "a_renewal_never_shortens_a_lease",
                        Shortens::new),
                Canary.inMemory(
                        "a newcomer passes those who wait",
                        "a_newcomer_does_not_pass_those_who_wait_for_a_closed_lock",
                        Barges::new),
                Canary.inMemory(
                        "the last to come is served first",
                        "waiters_are_served_first_come_first_served",
                        ServesLastFirst::new),
                Canary.inMemory(
                        "a dead waiter gets the lock",
                        "a_dead_waiter_is_skipped",
                        clock -> new Keeps(clock, Handover.Reason.LEASE_ENDED)),
                Canary.inMemory(
                        "a waiter gets the lock after its time",
                        "a_waiter_whose_time_is_over_is_skipped",
                        clock -> new Keeps(clock, Handover.Reason.WAITED_TOO_LONG)),
                Canary.inMemory(
                        "a cancelled waiter stays in the queue",
                        "a_waiter_can_be_cancelled_by_its_ticket",
                        clock -> new Keeps(clock, Handover.Reason.CANCELLED)),
                Canary.inMemory(
                        "the cooldown is ignored",
                        "a_lock_is_closed_for_a_while_after_a_clean_release",
                        clock -> new NeverCloses(clock, Past.Event.RELEASED)),
                Canary.inMemory(
                        "the lock-delay is ignored",
                        "a_lock_is_closed_for_a_while_after_an_expiry",
                        clock -> new NeverCloses(clock, Past.Event.EXPIRED)),
                Canary.inMemory(
                        "refusals are not recorded", "a_refusal_is_in_the_history_of_the_lock", ForgetsRefusals::new),
                Canary.inMemory(
                        "a forced holder is not told",
                        "the_next_renewal_of_its_lease_tells_a_holder_that_it_must_stop",
                        Silent::new),
                Canary.inMemory("pruning forgets a cooldown", "what_is_still_closed_stays", PrunesWhatIsClosed::new));
    }

    private static final class ReusesTokens extends Memory {
        ReusesTokens(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        long nextToken(LockRecord record) {
            boolean expired = !record.isNew() && record.latest().ending() == Past.Event.EXPIRED;
            return expired ? record.latest().token() : super.nextToken(record);
        }
    }

    private static final class StartsAgain extends Memory {
        StartsAgain(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        long nextToken(LockRecord record) {
            return record.isNew() ? 1 : super.nextToken(record);
        }
    }

    private static final class ExpiresLate extends Memory {
        ExpiresLate(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        boolean isAlive(LeaseRecord lease, Instant now) {
            return lease.ended() == null;
        }

        @Override
        boolean isOver(Tenure tenure, Instant now) {
            return false;
        }
    }

    private static final class ExpiresEarly extends Memory {
        ExpiresEarly(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        boolean isAlive(LeaseRecord lease, Instant now) {
            return super.isAlive(lease, now.plus(lease.lease().duration().dividedBy(2)));
        }
    }

    private static final class TakesWithoutRevoking extends Memory {
        TakesWithoutRevoking(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        void revoke(LeaseRecord lease, Loss why) {}
    }

    private static final class FreesOneOnly extends Memory {
        private final Set<LeaseRecord> seen = new HashSet<>();

        FreesOneOnly(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        void end(LockRecord record, Past.Event how, Instant at, Instant now) {
            if (seen.add(record.latest().lease())) {
                super.end(record, how, at, now);
            }
        }
    }

    private static final class Shortens extends Memory {
        Shortens(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        Instant renewedUntil(LeaseRecord lease, Instant now) {
            return now.plus(lease.lease().duration());
        }
    }

    private static final class Barges extends Memory {
        Barges(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        Acquisition obstacle(Ask ask, Instant now) {
            Acquisition obstacle = super.obstacle(ask, now);
            return obstacle instanceof Acquisition.Held(Lock current) && !current.isHeld() ? null : obstacle;
        }
    }

    private static final class ServesLastFirst extends Memory {
        ServesLastFirst(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        Waiting enqueue(LockRecord record, Ask ask, Duration wait, Instant now) {
            Waiting waiting = super.enqueue(record, ask, wait, now);
            record.queue().addFirst(record.queue().removeLast());
            return waiting;
        }
    }

    private static final class Keeps extends Memory {
        private final Handover.Reason ignored;

        Keeps(Supplier<Instant> clock, Handover.Reason ignored) {
            super(clock);
            this.ignored = ignored;
        }

        @Override
        void drop(LockRecord record, Waiting waiting, Handover.Reason reason) {
            if (reason != ignored) {
                super.drop(record, waiting, reason);
            }
        }
    }

    private static final class NeverCloses extends Memory {
        private final Past.Event after;

        NeverCloses(Supplier<Instant> clock, Past.Event after) {
            super(clock);
            this.after = after;
        }

        @Override
        Duration closedAfter(Tenure tenure, Past.Event how) {
            return how == after ? Duration.ZERO : super.closedAfter(tenure, how);
        }
    }

    private static final class ForgetsRefusals extends Memory {
        ForgetsRefusals(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        void refused(LockRecord record, Holder holder, Instant now) {}
    }

    private static final class Silent extends Memory {
        Silent(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        void tell(LockRecord record, Tenure tenure, Loss why) {}
    }

    private static final class PrunesWhatIsClosed extends Memory {
        PrunesWhatIsClosed(Supplier<Instant> clock) {
            super(clock);
        }

        @Override
        boolean isIdle(LockRecord record, Instant now) {
            return !record.isHeld() && record.queue().isEmpty();
        }
    }
}
