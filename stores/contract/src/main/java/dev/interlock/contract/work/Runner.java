package dev.interlock.contract.work;

import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.work.Claimant;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A worker, with a lease for each duration that a workflow may want. */
record Runner(Claimant claimant) {
    /** Offers all that is declared. */
    static Runner named(String name) {
        return offering(name, everything());
    }

    static Runner offering(String name, Set<String> workflows) {
        Identity identity = new Identity(name + "-host:4711:" + UUID.randomUUID(), name + "@example.com");
        return new Runner(new Claimant(
                identity,
                Map.of(
                        Duration.ofSeconds(30), lease(identity, Duration.ofSeconds(30)),
                        Duration.ofSeconds(10), lease(identity, Duration.ofSeconds(10))),
                workflows));
    }

    /** The lease under which it would hold for that long. */
    Lease lease(Duration duration) {
        Lease lease = claimant.leases().get(duration);
        if (lease == null) {
            throw new AssertionError("there is no lease of " + duration);
        }
        return lease;
    }

    private static Lease lease(Identity identity, Duration duration) {
        return new Lease(UUID.randomUUID(), identity.owner(), identity.user(), duration);
    }

    private static Set<String> everything() {
        Set<String> offers = new HashSet<>(Declared.ALL.workflows().keySet());
        for (Lifecycle lifecycle : Declared.ALL.lifecycles().values()) {
            lifecycle
                    .declaration()
                    .steps()
                    .forEach(step -> offers.add(
                            Claimant.offer(lifecycle.name(), step.name().text())));
        }
        return offers;
    }
}
