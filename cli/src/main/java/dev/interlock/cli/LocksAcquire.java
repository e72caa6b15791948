package dev.interlock.cli;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Options;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

final class LocksAcquire implements Command {
    private static final Duration LEASE = Duration.ofMinutes(10);

    @Override
    public void shape(Shape shape) {
        shape.name().option("--ttl", "DURATION", "How long the lease lasts unless it is renewed. Default: 10m.");
        Limits.shapeWait(shape);
        Limits.shapeTerms(shape);
        shape.option("--execution", "ID", "What the lock is held for. Default: a new, random one.")
                .option("--attempt", "N", "Which try at that execution, from 1. Default: 1.")
                .option(
                        "--owner",
                        "ID",
                        "Who holds it. The same execution, attempt and owner asking again get the same grant back."
                                + " Default: this very process, so that no two calls are the same.")
                .output()
                .quiet();
    }

    @Override
    public int run(Given given, Session session) throws InterruptedException {
        LockName name = given.name();
        Options options = Options.waiting(Limits.wait(given))
                .withLease(given.duration("--ttl", LEASE, Duration.ofSeconds(1), Limits.LONGEST))
                .withTerms(Limits.terms(given));
        String execution = given.identifier("--execution");
        int attempt = (int) given.number("--attempt", 1, 1, Integer.MAX_VALUE);
        @Nullable String owner = given.identifier("--owner");
        Unattended taking = new Unattended(session, name, owner);
        return taking.take(
                execution == null ? options : options.forExecution(execution, attempt), LocksAcquire::acquired);
    }

    private static String acquired(Lock lock) {
        return "Acquired lock '" + lock.name() + "' with token " + lock.token() + ", lease until "
                + Views.time(lock.grant().expiresAt()) + ". Nobody keeps it: renew it with interlock locks renew "
                + Shell.quoted(lock.name().value()) + " --token " + lock.token();
    }
}
