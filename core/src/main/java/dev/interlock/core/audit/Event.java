package dev.interlock.core.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One row of the trail, as it is stored.
 *
 * @param target what was operated on; empty for what concerns the whole store
 * @param event what happened: RELEASED, REFUSED, GRANTED, ... A word, since the trail may be read by an older program
 * @param began when a tenure began; the instant itself for everything else
 * @param actor the person or program that ordered it, when that is not the holder
 * @param clean whether the holder itself ended its tenure
 * @param phase the phase that the execution has with this event
 * @param state the state that the resource has with this event
 */
public record Event(
        Position at,
        String target,
        long token,
        String event,
        String execution,
        int attempt,
        String owner,
        String user,
        Instant began,
        Instant ended,
        @Nullable String actor,
        @Nullable String detail,
        boolean clean,
        @Nullable String workflow,
        @Nullable String correlation,
        @Nullable String phase,
        @Nullable String state) {
    /** Old events were removed: those under all seals up to the one whose number is the token. */
    public static final String PRUNED = "PRUNED";
}
