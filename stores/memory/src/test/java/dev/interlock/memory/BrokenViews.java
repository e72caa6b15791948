package dev.interlock.memory;

import static dev.interlock.memory.Canary.inView;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Handover;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Place;
import dev.interlock.core.Ports;
import dev.interlock.core.Release;
import dev.interlock.core.SetAcquisition;
import dev.interlock.core.Standing;
import dev.interlock.core.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stores that use sound records in a wrong way. */
final class BrokenViews {
    private BrokenViews() {}

    static List<Canary> all() {
        return List.of(
                inView(
                        "looks first and grants then, in two steps",
                        "of_a_hundred_requests_at_once_one_is_granted",
                        LooksThenActs::new),
                inView(
                        "the process is the holder",
                        "another_execution_in_the_same_process_is_another_holder",
                        store -> new Asking(store, BrokenViews::byProcess)),
                inView(
                        "an attempt is as good as another",
                        "another_attempt_is_another_holder",
                        store -> new Asking(store, BrokenViews::withoutAttempt)),
                inView(
                        "a grant stays on the lease of the first request",
                        "asking_again_on_another_lease_hangs_the_grant_on_that_lease",
                        KeepsFirstLease::new),
                inView(
                        "a release frees whoever holds the lock",
                        "a_superseded_holder_cannot_release_its_successor",
                        ReleasesAnybody::new),
                inView(
                        "a release looks at the holder and not at the token",
                        "a_repeated_release_leaves_the_same_holders_later_grant_alone",
                        ReleasesByHolder::new),
                inView(
                        "a repeated release is lost",
                        "a_release_may_be_repeated",
                        store -> new ForgetsReleases(store, false)),
                inView(
                        "a repeated release is lost when another holds by now",
                        "a_repeated_release_is_answered_the_same_while_another_holds_and_keeps_the_lock",
                        store -> new ForgetsReleases(store, true)),
                inView(
                        "a release that is not waited for is not made either",
                        "a_lock_whose_release_is_not_waited_for_is_free_when_the_answer_is_there",
                        AnswersUnasked::new),
                inView(
                        "withdrawing frees whoever holds the lock",
                        "withdrawing_what_one_does_not_have_changes_nothing",
                        WithdrawsAnybody::new),
                inView(
                        "giving up a lease does nothing",
                        "a_lease_that_is_given_up_frees_all_its_locks_and_places_at_once",
                        NeverEnds::new),
                inView(
                        "a force hits whoever holds by now",
                        "a_newer_holder_than_the_one_seen_is_never_hit",
                        ForcesAnybody::new),
                inView(
                        "a force does not wait for the holder to stop",
                        "a_holder_is_told_to_stop_and_keeps_the_lock_until_it_has",
                        ForcesAtOnce::new),
                inView(
                        "a holder is told once that it must stop",
                        "a_holder_is_told_with_every_renewal_until_it_has_answered",
                        TellsOnce::new),
                inView(
                        "the maximum hold is ignored",
                        "a_grant_ends_at_its_maximum_hold_however_often_it_is_renewed",
                        store -> new Asking(store, BrokenViews::withoutMaxHold)),
                inView(
                        "nobody learns of maintenance",
                        "every_refusal_says_why_a_person_holds_the_lock",
                        store -> new Asking(store, BrokenViews::withoutMaintenance)),
                inView(
                        "a waiter that asks again goes to the end",
                        "a_waiter_that_asks_again_keeps_its_place",
                        EntersAnew::new),
                inView("the limit of the queue is ignored", "a_full_queue_takes_nobody_else", NeverFull::new),
                inView(
                        "a waiter that leaves keeps what was handed over",
                        "a_waiter_that_leaves_with_the_lock_already_handed_over_gives_it_back",
                        LeavesTheGrant::new),
                inView(
                        "a set is taken one by one and kept in part",
                        "when_one_is_held_none_is_granted",
                        KeepsPart::new),
                inView(
                        "names are mapped to fewer characters",
                        "names_that_resemble_each_other_are_two_locks",
                        store -> new Asking(store, BrokenViews::mangled)),
                inView(
                        "long names are cut",
                        "long_names_that_differ_in_their_last_character_are_two_locks",
                        store -> new Asking(store, BrokenViews::cut)),
                inView("a prefix is taken for a pattern", "a_prefix_is_taken_literally", PrefixIsPattern::new),
                inView("a list is sorted by code units", "a_list_is_in_canonical_order", SortsByUnits::new),
                inView(
                        "the history forgets forced tenures",
                        "a_forced_tenure_is_in_the_history_with_who_and_why",
                        ForgetsForce::new));
    }

    private static Ask byProcess(Ask ask) {
        Holder holder = ask.holder();
        return holding(ask, new Holder(holder.owner(), 1, holder.owner(), holder.user()));
    }

    private static Ask withoutAttempt(Ask ask) {
        Holder holder = ask.holder();
        return holding(ask, new Holder(holder.execution(), 1, holder.owner(), holder.user()));
    }

    private static Ask holding(Ask ask, Holder holder) {
        return new Ask(ask.name(), holder, ask.lease(), ask.terms());
    }

    private static Ask withoutMaxHold(Ask ask) {
        Terms terms = ask.terms();
        return under(ask, new Terms(terms.lockDelay(), terms.cooldown(), null, terms.maintenance()));
    }

    private static Ask withoutMaintenance(Ask ask) {
        Terms terms = ask.terms();
        return under(ask, new Terms(terms.lockDelay(), terms.cooldown(), terms.maxHold(), null));
    }

    private static Ask under(Ask ask, Terms terms) {
        return new Ask(ask.name(), ask.holder(), ask.lease(), terms);
    }

    private static Ask mangled(Ask ask) {
        return named(ask, ask.name().value().replaceAll("[^a-zA-Z0-9]", "-"));
    }

    private static Ask cut(Ask ask) {
        String name = ask.name().value();
        return named(ask, name.substring(0, Math.min(255, name.length())));
    }

    private static Ask named(Ask ask, String name) {
        return new Ask(LockName.of(name), ask.holder(), ask.lease(), ask.terms());
    }

    private static final class LooksThenActs extends Forwarding {
        private static final CountDownLatch BOTH = new CountDownLatch(2);

        LooksThenActs(LockStore store) {
            super(store);
        }

        @Override
        public Acquisition acquire(Ask ask) {
            if (find(ask.name()).filter(Lock::isHeld).isPresent()) {
                return super.acquire(ask);
            }
            meet();
            return act(ask);
        }

        /** Overwrites whatever has been written since it looked. */
        private Acquisition act(Ask ask) {
            synchronized (BOTH) {
                find(ask.name()).ifPresent(super::release);
                return super.acquire(ask);
            }
        }

        /** Holds the first until a second has seen what it saw. */
        private static void meet() {
            BOTH.countDown();
            try {
                assertMet(BOTH.await(10, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private static void assertMet(boolean met) {
            if (!met) {
                throw new IllegalStateException("nobody else came");
            }
        }
    }

    private static final class KeepsFirstLease extends Forwarding {
        private final Map<String, Lease> first = new ConcurrentHashMap<>();

        KeepsFirstLease(LockStore store) {
            super(store);
        }

        @Override
        public Acquisition acquire(Ask ask) {
            Lease lease = first.computeIfAbsent(ask.name() + " " + ask.holder(), key -> ask.lease());
            return super.acquire(new Ask(ask.name(), ask.holder(), lease, ask.terms()));
        }
    }

    private static final class ReleasesAnybody extends Forwarding {
        ReleasesAnybody(LockStore store) {
            super(store);
        }

        @Override
        public Release release(Lock lock) {
            return super.release(find(lock.name()).orElse(lock));
        }
    }

    private static final class ReleasesByHolder extends Forwarding {
        ReleasesByHolder(LockStore store) {
            super(store);
        }

        @Override
        public Release release(Lock lock) {
            return super.release(find(lock.name())
                    .filter(current -> current.holder().equals(lock.holder()))
                    .orElse(lock));
        }
    }

    private static final class AnswersUnasked extends Forwarding {
        AnswersUnasked(LockStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Release> releaseSoon(Lock lock, Ports.Tasks tasks) {
            return CompletableFuture.completedFuture(new Release.Released());
        }
    }

    private static final class ForgetsReleases extends Forwarding {
        private final boolean onlyWhenHeld;

        ForgetsReleases(LockStore store, boolean onlyWhenHeld) {
            super(store);
            this.onlyWhenHeld = onlyWhenHeld;
        }

        @Override
        public Release release(Lock lock) {
            Lock current = find(lock.name()).orElse(lock);
            boolean repeated = onlyWhenHeld ? current.token() != lock.token() : !current.isHeld();
            return repeated ? new Lost(Loss.Cause.SUPERSEDED, current) : super.release(lock);
        }
    }

    private static final class WithdrawsAnybody extends Forwarding {
        WithdrawsAnybody(LockStore store) {
            super(store);
        }

        @Override
        public void withdraw(Ask ask) {
            find(ask.name()).ifPresent(super::release);
        }
    }

    private static final class NeverEnds extends Forwarding {
        NeverEnds(LockStore store) {
            super(store);
        }

        @Override
        public void end(Lease lease) {}
    }

    private static final class ForcesAnybody extends Forwarding {
        ForcesAnybody(LockStore store) {
            super(store);
        }

        @Override
        public Forcing force(Force order) {
            long token = find(order.name()).map(Lock::token).orElse(order.seenToken());
            return super.force(new Force(order.name(), token, order.actor(), order.reason(), order.now()));
        }
    }

    private static final class ForcesAtOnce extends Forwarding {
        ForcesAtOnce(LockStore store) {
            super(store);
        }

        @Override
        public Forcing force(Force order) {
            return super.force(new Force(order.name(), order.seenToken(), order.actor(), order.reason(), true));
        }
    }

    private static final class TellsOnce extends Forwarding {
        private final Set<LeaseRenewal.Taken> told = new HashSet<>();

        TellsOnce(LockStore store) {
            super(store);
        }

        @Override
        public List<LeaseRenewal> renew(List<Lease> leases) {
            return super.renew(leases).stream().map(this::news).toList();
        }

        private LeaseRenewal news(LeaseRenewal answer) {
            return answer instanceof LeaseRenewal.Renewed(var lease, var until, var taken)
                    ? new LeaseRenewal.Renewed(
                            lease, until, taken.stream().filter(told::add).toList())
                    : answer;
        }
    }

    private static final class EntersAnew extends Forwarding {
        EntersAnew(LockStore store) {
            super(store);
        }

        @Override
        public Entry enter(Ask ask, Duration wait, int queueLimit) {
            super.withdraw(ask);
            return super.enter(ask, wait, queueLimit);
        }
    }

    private static final class NeverFull extends Forwarding {
        NeverFull(LockStore store) {
            super(store);
        }

        @Override
        public Entry enter(Ask ask, Duration wait, int queueLimit) {
            return super.enter(ask, wait, Integer.MAX_VALUE);
        }
    }

    private static final class LeavesTheGrant extends Forwarding {
        LeavesTheGrant(LockStore store) {
            super(store);
        }

        @Override
        public Entry enter(Ask ask, Duration wait, int queueLimit) {
            return super.enter(ask, wait, queueLimit) instanceof Entry.Queued(var place, var current, var position)
                    ? new Entry.Queued(new Leaving(place), current, position)
                    : super.enter(ask, wait, queueLimit);
        }

        private record Leaving(Place place) implements Place {
            @Override
            public CompletableFuture<Handover> handover() {
                return place.handover();
            }

            @Override
            public Optional<Standing> standing() {
                return place.standing();
            }

            @Override
            public void leave() {
                if (!place.handover().isDone()) {
                    place.leave();
                }
            }
        }
    }

    private static final class KeepsPart extends Forwarding {
        KeepsPart(LockStore store) {
            super(store);
        }

        @Override
        public SetAcquisition acquireAll(List<Ask> asks) {
            List<Lock> locks = new ArrayList<>();
            for (Ask ask : asks) {
                Acquisition answer = acquire(ask);
                if (!(answer instanceof Acquisition.Granted(Lock lock))) {
                    return new SetAcquisition.NoneGranted(answer);
                }
                locks.add(lock);
            }
            return new SetAcquisition.AllGranted(locks);
        }
    }

    private static final class PrefixIsPattern extends Forwarding {
        PrefixIsPattern(LockStore store) {
            super(store);
        }

        @Override
        public Page<Lock> list(LockFilter filter, Page.Request page) {
            String prefix = filter.prefix();
            if (prefix == null) {
                return super.list(filter, page);
            }
            String pattern =
                    "(?s)" + prefix.replace("\\", "\\\\").replace("%", ".*").replace("_", ".") + ".*";
            return new Page<>(
                    super.list(LockFilter.ALL, page).items().stream()
                            .filter(lock -> lock.name().value().matches(pattern))
                            .toList(),
                    null);
        }
    }

    private static final class SortsByUnits extends Forwarding {
        SortsByUnits(LockStore store) {
            super(store);
        }

        @Override
        public Page<Lock> list(LockFilter filter, Page.Request page) {
            return new Page<>(
                    super.list(filter, page).items().stream()
                            .sorted(Comparator.comparing(lock -> lock.name().value()))
                            .toList(),
                    null);
        }
    }

    private static final class ForgetsForce extends Forwarding {
        ForgetsForce(LockStore store) {
            super(store);
        }

        @Override
        public Page<Past> history(LockName name, Page.Request page) {
            return new Page<>(
                    super.history(name, page).items().stream()
                            .filter(past -> past.event() != Past.Event.FORCED)
                            .toList(),
                    null);
        }
    }
}
