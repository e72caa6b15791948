package dev.interlock.engine;

import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.audit.Sealing;

/** Seals the audit trail as far as it is complete; called again and again by the one janitor that leads. */
@FunctionalInterface
public interface Sealer {
    /** So many events are put under one seal. */
    int EVENTS = 5000;

    /** So many seals are made in one round: what has gathered in an outage is sealed bit by bit. */
    int SEALS = 20;

    void seal();

    static Sealer of(AuditTrail trail) {
        return () -> {
            boolean more = true;
            for (int made = 0; more && made < SEALS; made++) {
                more = trail.seal(EVENTS) instanceof Sealing.Done;
            }
        };
    }
}
