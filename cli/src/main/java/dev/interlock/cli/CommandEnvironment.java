package dev.interlock.cli;

import dev.interlock.core.HeldLock;
import dev.interlock.core.HeldSet;
import dev.interlock.core.Lock;
import dev.interlock.supervise.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a command under {@code run} gets to know: names, tokens, the execution, the lease; never a credential. */
final class CommandEnvironment {
    private CommandEnvironment() {}

    static Command command(RunPlan plan, HeldSet held, Map<String, @Nullable String> concealed) {
        Command command =
                Command.ofArguments(plan.command().toArray(new String[0]), 0).grace(plan.grace());
        for (Map.Entry<String, @Nullable String> variable : concealed.entrySet()) {
            String value = variable.getValue();
            command = value == null ? command.without(variable.getKey()) : command.with(variable.getKey(), value);
        }
        List<Lock> locks = inOrderOf(plan.names(), held);
        Lock first = locks.getFirst();
        StringBuilder names = new StringBuilder();
        StringBuilder tokens = new StringBuilder();
        for (Lock lock : locks) {
            String separator = names.isEmpty() ? "" : "\n";
            names.append(separator).append(lock.name());
            tokens.append(separator).append(lock.token());
        }
        return command.with("INTERLOCK_LOCK", first.name().value())
                .with("INTERLOCK_TOKEN", Long.toString(first.token()))
                .with("INTERLOCK_LOCKS", names.toString())
                .with("INTERLOCK_TOKENS", tokens.toString())
                .with("INTERLOCK_EXECUTION", first.holder().execution())
                .with("INTERLOCK_LEASE_UNTIL", Views.time(first.grant().expiresAt()));
    }

    /** As the user named them; they are held in canonical order. */
    private static List<Lock> inOrderOf(List<String> names, HeldSet held) {
        List<Lock> ordered = new ArrayList<>();
        for (String name : names) {
            for (HeldLock lock : held.locks()) {
                if (lock.name().value().equals(name) && !ordered.contains(lock.lock())) {
                    ordered.add(lock.lock());
                }
            }
        }
        return ordered;
    }
}
