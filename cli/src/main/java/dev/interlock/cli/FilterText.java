package dev.interlock.cli;

import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Filters as people write them: {@code status=active,user=alice}. */
final class FilterText {
    private static final Set<Lock.Status> HELD = EnumSet.of(Lock.Status.ACTIVE, Lock.Status.RELEASING);
    private static final List<String> KEYS = List.of("status", "owner", "user", "execution", "prefix");

    private final Set<Lock.Status> statuses = EnumSet.noneOf(Lock.Status.class);
    private @Nullable String owner;
    private @Nullable String user;
    private @Nullable String execution;
    private @Nullable String prefix;

    private FilterText() {}

    /** @param all whether locks that nobody holds are wanted too, where the filter does not name a status */
    static LockFilter parse(List<String> texts, boolean all) {
        FilterText filter = new FilterText();
        for (String text : texts) {
            for (String condition : conditions(text)) {
                filter.add(condition);
            }
        }
        Set<Lock.Status> wanted = filter.statuses;
        if (wanted.isEmpty()) {
            wanted = all ? EnumSet.allOf(Lock.Status.class) : HELD;
        }
        try {
            return new LockFilter(wanted, filter.prefix, filter.owner, filter.user, filter.execution);
        } catch (IllegalArgumentException e) {
            throw new UsageError("--filter: " + e.getMessage());
        }
    }

    /** A comma separates only where a new key follows: names and users may contain commas themselves. */
    private static List<String> conditions(String text) {
        List<String> conditions = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) {
            int equals = text.indexOf('=', at);
            if (equals > at && KEYS.contains(text.substring(at + 1, equals))) {
                conditions.add(text.substring(from, at));
                from = at + 1;
            }
        }
        conditions.add(text.substring(from));
        return conditions;
    }

    private void add(String condition) {
        int equals = condition.indexOf('=');
        String key = equals < 0 ? condition : condition.substring(0, equals);
        String value = equals < 0 ? "" : condition.substring(equals + 1);
        if (!KEYS.contains(key) || value.isEmpty()) {
            throw new UsageError(
                    "--filter takes KEY=VALUE with the keys status, owner, user, execution and prefix, not '"
                            + condition + "'.");
        }
        switch (key) {
            case "status" -> statuses.add(status(value));
            case "owner" -> owner = value;
            case "user" -> user = value;
            case "execution" -> execution = value;
            default -> prefix = value;
        }
    }

    private static Lock.Status status(String word) {
        for (Lock.Status status : Lock.Status.values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        throw new UsageError("--filter: a status is active, releasing, released or expired, not '" + word + "'.");
    }
}
