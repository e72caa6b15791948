package dev.interlock.kubernetes;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * Takes part in leader election by the rules of client-go, written from its documented behaviour: it takes a Lease
 * that nobody holds or that it has seen stand still for a whole lease, writes the five fields and nothing else, and
 * keeps what annotations there are. Its wall clock may show any hour.
 */
final class Elector {
    private final Resource<Lease> lease;
    private final String identity;
    private final Duration duration;
    private final Duration skew;
    private Duration time = Duration.ZERO;
    private LeaseSpec observed;
    private Duration observedAt = Duration.ZERO;

    Elector(Resource<Lease> lease, String identity, Duration duration, Duration skew) {
        this.lease = lease;
        this.identity = identity;
        this.duration = duration;
        this.skew = skew;
    }

    void passes(Duration elapsed) {
        time = time.plus(elapsed);
    }

    /** One try to acquire or renew, as an elector makes every two seconds. */
    boolean tries() {
        Lease found = lease.get();
        LeaseSpec spec = found.getSpec();
        if (!Objects.equals(observed, spec)) {
            observed = spec;
            observedAt = time;
        }
        String holder = spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity();
        boolean mine = holder.equals(identity);
        Duration valid =
                Duration.ofSeconds(spec.getLeaseDurationSeconds() == null ? 0 : spec.getLeaseDurationSeconds());
        if (!holder.isEmpty() && !mine && observedAt.plus(valid).compareTo(time) > 0) {
            return false;
        }
        int transitions = spec.getLeaseTransitions() == null ? 0 : spec.getLeaseTransitions();
        spec.setAcquireTime(mine ? spec.getAcquireTime() : now());
        spec.setLeaseTransitions(mine ? transitions : transitions + 1);
        spec.setHolderIdentity(identity);
        spec.setLeaseDurationSeconds((int) duration.toSeconds());
        spec.setRenewTime(now());
        return writes(found);
    }

    boolean releases() {
        Lease found = lease.get();
        LeaseSpec spec = found.getSpec();
        if (!identity.equals(spec.getHolderIdentity())) {
            return false;
        }
        spec.setHolderIdentity(null);
        spec.setLeaseDurationSeconds(1);
        spec.setRenewTime(now());
        spec.setAcquireTime(now());
        return writes(found);
    }

    private boolean writes(Lease changed) {
        try {
            Lease written = Cluster.admin().resource(changed).update();
            observed = written.getSpec();
            observedAt = time;
            return true;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private ZonedDateTime now() {
        return Instant.now()
                .plus(skew)
                .plus(time)
                .truncatedTo(ChronoUnit.MICROS)
                .atZone(ZoneOffset.UTC);
    }
}
