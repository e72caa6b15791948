package dev.interlock.bench.contender;

import java.util.List;

/** Who takes part in which workload; the first of each list is the one the others are set against. */
public final class Contenders {
    private Contenders() {}

    /** Acquire and release without rivals. */
    public static List<Contender> pairs() {
        return List.of(
                new RawPair(),
                new RawBatches(),
                new Interlock(),
                new Interlock(Interlock.Giving.SOON),
                new ShedLock(),
                new SpringRegistry(),
                new AdvisoryLock());
    }

    /** Waiting for a lock that others hold: the raw pair cannot. */
    public static List<Contender> waiting() {
        return List.of(new AdvisoryLock(), new Interlock(), new ShedLock(), new SpringRegistry());
    }

    /** Keeping many locks alive: an advisory lock needs no renewal, for it has no lease. */
    public static List<Renewer> renewers() {
        return List.of(
                new RawRenewalEach(), new RawRenewalBatch(), new Interlock(), new ShedLock(), new SpringRegistry());
    }

    /** Tables that grow: advisory locks have none. */
    public static List<Growing> growing() {
        return List.of(new RawPair(), new Interlock(), new ShedLock(), new SpringRegistry());
    }
}
