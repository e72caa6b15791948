package dev.interlock.postgres;

import dev.interlock.core.HeldLock;
import dev.interlock.core.LockName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Who is in which critical section. */
final class Inside {
    final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private final Map<LockName, HeldLock> now = new ConcurrentHashMap<>();
    private final Map<LockName, Long> latest = new ConcurrentHashMap<>();

    void enter(HeldLock lock) {
        HeldLock before = now.put(lock.name(), lock);
        if (before != null && before.isHeld()) {
            faults.add("two inside " + lock.name());
        }
        Long token = latest.put(lock.name(), lock.token());
        if (token != null && token >= lock.token()) {
            faults.add("token " + lock.token() + " after " + token);
        }
    }

    void leave(HeldLock lock) {
        now.remove(lock.name(), lock);
    }
}
