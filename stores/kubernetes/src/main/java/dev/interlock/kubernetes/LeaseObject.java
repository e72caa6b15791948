package dev.interlock.kubernetes;

import dev.interlock.core.Holder;
import dev.interlock.core.LockName;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Terms;
import dev.interlock.kubernetes.ServerClock.Reading;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A lock record as a Lease. The fields of the Lease are kept the way client-go keeps them, for kubectl and for electors
 * that share it; whatever else there is lives in annotations.
 */
final class LeaseObject {
    static final String NAME = "interlock.dev/name";
    static final String RECORD = "interlock.dev/record";
    static final String LEASE = "interlock.dev/lease";
    static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    static final String INTERLOCK = "interlock";

    private static final String TOKEN = "interlock.dev/token";
    private static final String HOLDER = "interlock.dev/holder";
    private static final Set<String> OWN = Set.of(NAME, RECORD, TOKEN, HOLDER);
    private static final UUID NO_LEASE = new UUID(0, 0);

    /** How long somebody holds who does not say how long. */
    private static final Duration UNSAID = Duration.ofSeconds(30);

    /** What the API server allows the annotations of one object to have, in bytes, all of them and their keys. */
    private static final int ALL_ANNOTATIONS = 256 * 1024;

    /** What remains of that for the record beside our other annotations, at their longest. */
    private static final int MOST = ALL_ANNOTATIONS - 8 * 1024;

    private LeaseObject() {}

    /** The name of the lock that this Lease stands for; none when it says none that a lock could have. */
    static Optional<LockName> name(Lease lease) {
        return Optional.ofNullable(annotation(lease, NAME))
                .filter(name -> LockName.faultOf("The name", name) == null)
                .map(LockName::of);
    }

    /** Whether it is the Lease of a lock, or was before somebody edited it. */
    static boolean isLock(Lease lease) {
        return annotation(lease, NAME) != null || annotation(lease, RECORD) != null;
    }

    static long version(Lease lease) {
        String version = lease.getMetadata().getResourceVersion();
        try {
            return Long.parseLong(version);
        } catch (NumberFormatException e) {
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.MISCONFIGURED,
                    "This API server does not number its versions ('" + version
                            + "'), so that tokens cannot be kept from returning.",
                    e);
        }
    }

    /**
     * What the Lease says, after what time has done since.
     *
     * @param unchangedFor for how long this process has seen the holder's fields stand still
     */
    static LockRecord read(LockName name, @Nullable Lease lease, Reading now, Duration unchangedFor) {
        if (lease == null) {
            return new LockRecord(name, "", 0, MOST, Content.blank(now.latest()), now);
        }
        requireOwn(name, lease);
        String json = annotation(lease, RECORD);
        Content content = json == null
                ? Content.blank(now.latest())
                : Content.read(json, lease.getMetadata().getName());
        LockRecord record =
                new LockRecord(name, lease.getMetadata().getUid(), version(lease), room(lease), content, now);
        reconcile(record, lease, now, unchangedFor);
        record.settle(unchangedFor);
        return record;
    }

    /** Others may keep annotations on it too. */
    private static int room(Lease lease) {
        Map<String, String> annotations = lease.getMetadata().getAnnotations();
        int others = annotations == null
                ? 0
                : annotations.entrySet().stream()
                        .filter(each -> !OWN.contains(each.getKey()))
                        .mapToInt(each -> bytes(each.getKey()) + bytes(each.getValue()))
                        .sum();
        return MOST - others;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Two names with one hash are told apart by the full name, and the second one is refused, never shared. */
    private static void requireOwn(LockName name, Lease lease) {
        String stored = annotation(lease, NAME);
        if (stored != null && !stored.equals(name.value())) {
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.MISCONFIGURED,
                    "Lock '" + name + "' cannot be kept: its Lease "
                            + lease.getMetadata().getName() + " is that of lock '" + stored
                            + "'. Choose another name for one of them.");
        }
    }

    /** The holder's fields decide over the annotation: whoever is written there has the Lease, ours or not. */
    private static void reconcile(LockRecord record, Lease lease, Reading now, Duration unchangedFor) {
        LeaseSpec spec = spec(lease);
        String written = spec.getHolderIdentity();
        boolean free = written == null || written.isEmpty();
        Tenure known = record.tenure();
        if (known == null || !known.isCurrent()) {
            if (!free) {
                record.takenByForeigner(foreigner(spec, record.nextToken(), now, unchangedFor));
            }
        } else if (free) {
            if (known.foreign()) {
                record.releasedByForeigner(known);
            } else {
                record.clearedByHand(known);
            }
        } else if (!known.identity().equals(written)) {
            record.takenByForeigner(foreigner(spec, known.token() + 1, now, unchangedFor));
        } else if (known.foreign()) {
            record.renewedByForeigner(foreigner(spec, known.token(), now, unchangedFor));
        }
    }

    /** The instants of a foreigner are its own clock's and are only shown; when it ends is seen by looking at it. */
    private static Tenure foreigner(LeaseSpec spec, long token, Reading now, Duration unchangedFor) {
        String identity = Objects.requireNonNull(spec.getHolderIdentity());
        Integer seconds = spec.getLeaseDurationSeconds();
        boolean said = seconds != null && seconds > 0 && spec.getRenewTime() != null;
        Duration duration = said ? Duration.ofSeconds(Objects.requireNonNull(seconds)) : UNSAID;
        Instant end = now.latest().plus(duration).minus(unchangedFor);
        ZonedDateTime acquired = spec.getAcquireTime();
        String shown = shown(identity);
        return new Tenure(
                token,
                new Holder(shown, 1, shown, shown),
                identity,
                0,
                NO_LEASE,
                duration,
                Terms.PLAIN,
                acquired == null ? now.latest() : acquired.toInstant(),
                now.latest().minus(unchangedFor),
                end,
                null,
                null,
                true,
                null);
    }

    private static String shown(String identity) {
        String plain = identity.replaceAll("\\p{Cntrl}", " ").strip();
        String some = plain.isEmpty() ? "unnamed" : plain;
        return some.length() > 256 ? some.substring(0, 256) : some;
    }

    /** What a holder changes whenever it shows that it is alive. */
    static String pulse(Lease lease) {
        LeaseSpec spec = spec(lease);
        return spec.getHolderIdentity() + "|" + spec.getRenewTime() + "|" + spec.getAcquireTime() + "|"
                + spec.getLeaseTransitions() + "|" + lease.getMetadata().getUid();
    }

    /** The first version of a lock's Lease: nobody holds it, and its number is where the tokens begin. */
    static Lease fresh(String object, String namespace, LockName name) {
        return new LeaseBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withName(object)
                        .withNamespace(namespace)
                        .addToLabels(MANAGED_BY, INTERLOCK)
                        .addToAnnotations(NAME, name.value())
                        .build())
                .withSpec(new LeaseSpec())
                .build();
    }

    /** What replaces this version of the Lease, and no other. */
    static Lease replacing(Lease base, LockRecord record) {
        Tenure tenure = record.tenure();
        boolean foreign = tenure != null && tenure.foreign() && tenure.isCurrent();
        return new LeaseBuilder(base)
                .withMetadata(metadata(base.getMetadata(), record))
                .withSpec(foreign ? spec(base) : spec(spec(base), record))
                .build();
    }

    private static ObjectMeta metadata(ObjectMeta base, LockRecord record) {
        Map<String, String> annotations =
                base.getAnnotations() == null ? new HashMap<>() : new HashMap<>(base.getAnnotations());
        Map<String, String> labels = base.getLabels() == null ? new HashMap<>() : new HashMap<>(base.getLabels());
        annotations.put(NAME, record.name().value());
        annotations.put(RECORD, record.content().write(record.room(), base.getName()));
        labels.put(MANAGED_BY, INTERLOCK);
        labels.remove(LEASE);
        annotations.remove(HOLDER);
        Tenure tenure = record.tenure();
        if (tenure != null) {
            annotations.put(TOKEN, Long.toString(tenure.token()));
            if (tenure.isCurrent() && !tenure.foreign()) {
                labels.put(LEASE, tenure.lease().toString());
                Holder holder = tenure.holder();
                annotations.put(HOLDER, holder.execution() + " (" + holder.user() + " on " + holder.host() + ")");
            }
        }
        return new ObjectMetaBuilder(base)
                .withAnnotations(annotations)
                .withLabels(labels)
                .withManagedFields()
                .build();
    }

    private static LeaseSpec spec(LeaseSpec before, LockRecord record) {
        Tenure tenure = record.tenure();
        LeaseSpecBuilder spec = new LeaseSpecBuilder(before);
        if (tenure == null || !tenure.isCurrent()) {
            // As client-go leaves a Lease that it has released: nobody's, and nobody has to wait for it.
            ZonedDateTime now = time(record.now().latest());
            return spec.withHolderIdentity(null)
                    .withLeaseDurationSeconds(1)
                    .withAcquireTime(now)
                    .withRenewTime(now)
                    .build();
        }
        boolean same = tenure.identity().equals(before.getHolderIdentity());
        int transitions = before.getLeaseTransitions() == null ? 0 : before.getLeaseTransitions();
        boolean last = transitions == Integer.MAX_VALUE;
        return spec.withHolderIdentity(tenure.identity())
                .withLeaseDurationSeconds(
                        (int) Math.max(1, tenure.duration().plusMillis(999).toSeconds()))
                .withAcquireTime(time(tenure.acquiredAt()))
                .withRenewTime(time(tenure.renewedAt()))
                .withLeaseTransitions(same || last ? transitions : transitions + 1)
                .build();
    }

    private static ZonedDateTime time(Instant instant) {
        return instant.atZone(ZoneOffset.UTC);
    }

    private static LeaseSpec spec(Lease lease) {
        return lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
    }

    private static @Nullable String annotation(Lease lease, String key) {
        Map<String, String> annotations = lease.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(key);
    }
}
