package dev.interlock.cli;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Lost;
import java.util.Optional;

/** A grant that somebody says is theirs, by its name and token. Whether it is, the store decides. */
final class Claim {
    private Claim() {}

    static long token(Given given) {
        Long token = given.token();
        if (token == null) {
            throw new UsageError("--token is missing: it says which grant is meant.");
        }
        return token;
    }

    static Optional<Lock> of(LockName name, long token, LockStore store) {
        return store.find(name)
                .map(lock -> new Lock(
                        name, token, lock.status(), lock.grant(), lock.waiting(), lock.closedUntil(), lock.seenAt()));
    }

    static String unknown(LockName name) {
        return "The store knows no lock '" + name + "': nobody has held it, or its record has been pruned.";
    }

    static String lost(LockName name, Lost lost) {
        Lock current = lost.current();
        String now = current == null || !current.isHeld()
                ? ""
                : " It is held by execution " + current.holder().execution() + " (" + Views.who(current.holder())
                        + ") with token " + current.token() + ".";
        return "Lock '" + name + "' is not yours any more: " + lost.why().sentence() + "." + now
                + " See: interlock locks history " + Views.quoted(name);
    }
}
