package dev.interlock.cli;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import java.util.Optional;

/** A grant that somebody says is theirs, by its name and token. */
sealed interface Claim {
    /** The latest grant; whether it is still in force, the store decides when it is asked to do something with it. */
    record Latest(Lock lock) implements Claim {}

    record Unfounded(String sentence) implements Claim {}

    static Claim of(LockName name, long token, LockStore store) {
        Optional<Lock> found = store.find(name);
        if (found.isEmpty()) {
            return new Unfounded(
                    "The store knows no lock '" + name + "': nobody has held it, or its record has been pruned.");
        }
        Lock lock = found.get();
        if (lock.token() == token) {
            return new Latest(lock);
        }
        Loss why = token < lock.token() ? Loss.Cause.SUPERSEDED : Loss.Cause.FORGOTTEN;
        return new Unfounded(lost(name, new Lost(why, lock)));
    }

    static String lost(LockName name, Lost lost) {
        Lock current = lost.current();
        String now = current == null || !current.isHeld()
                ? ""
                : " It is held by execution " + current.holder().execution() + " (" + Views.who(current.holder())
                        + ") with token " + current.token() + ".";
        return "Lock '" + name + "' is not yours any more: " + lost.why().sentence() + "." + now
                + " See: interlock locks history " + Shell.quoted(name.value());
    }
}
