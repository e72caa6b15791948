package dev.interlock.contract;

import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.queued;

import dev.interlock.core.Ask;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Place;
import java.time.Duration;
import java.util.List;

/** What every rule stands on: two processes at one store, its clock, and short words for what they do. */
interface Scene {
    LockName NAME = LockName.of("production/deployment/payment-api");
    LockName OTHER = LockName.of("production/deployment/search-api");
    Duration LEASE = Duration.ofSeconds(30);
    Duration LONG_LEASE = Duration.ofHours(10);
    Duration WAIT = Duration.ofHours(20);
    Duration MINUTE = Duration.ofMinutes(1);

    /** One process's view of the store. */
    LockStore here();

    /** Another process's view of the same store. */
    LockStore there();

    /** Lets that much time pass for everything in the store; backwards when negative. */
    void age(Duration elapsed);

    /** Whether the store itself queues, first come first served. */
    boolean fair();

    /** For many callers, half of them in the other process. */
    default LockStore either(int number) {
        return number % 2 == 0 ? here() : there();
    }

    default Worker worker(String name) {
        return Worker.named(name, LEASE);
    }

    /** One whose lease is still alive when an ordinary one has long expired. */
    default Worker patient(String name) {
        return Worker.named(name, LONG_LEASE);
    }

    /** Acquires what must be free. */
    default Lock take(Ask ask) {
        return granted(here().acquire(ask));
    }

    /** Takes a place in the queue of what must be busy. */
    default Place lineUp(Ask ask) {
        return queued(here().enter(ask, WAIT, Integer.MAX_VALUE)).place();
    }

    default Lock current(LockName name) {
        return there().find(name).orElseThrow(() -> new AssertionError("there is no lock " + name));
    }

    default LeaseRenewal renew(Lease lease) {
        return here().renew(List.of(lease)).getFirst();
    }
}
