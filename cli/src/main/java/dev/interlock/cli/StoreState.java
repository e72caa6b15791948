package dev.interlock.cli;

import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What there is of a store.
 *
 * @param status running, stopped, or absent when nothing has ever been stored
 * @param version of the server
 * @param local what only the store on this machine has; null for any other
 */
public record StoreState(
        String status,
        String address,
        @Nullable String version,
        @Nullable Local local) {
    /**
     * The store on this machine.
     *
     * @param pid of the server, as {@code port} and {@code since}: null unless it runs
     * @param data where it is, as {@code bytes} and {@code log}: null when there is none
     */
    public record Local(
            Path home,
            @Nullable Long pid,
            @Nullable Long port,
            @Nullable Instant since,
            @Nullable Path data,
            @Nullable Long bytes,
            @Nullable Path log) {}
}
