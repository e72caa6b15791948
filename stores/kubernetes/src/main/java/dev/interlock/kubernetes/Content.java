package dev.interlock.kubernetes;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.interlock.core.StoreUnavailable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What Interlock keeps about a lock beyond the fields that every Lease has: one JSON document in an annotation, so that
 * it changes in the same compare-and-set as they do.
 *
 * @param format raised when older programs cannot read it any more
 * @param tenure the latest grant, over or not; null before the first
 * @param numbered how many numbers have been given to waiters and to what happened
 */
record Content(
        int format,
        @Nullable Tenure tenure,
        @Nullable Instant closedUntil,
        Instant lastUsed,
        long numbered,
        List<Waiting> queue,
        List<Gone> past) {
    static final int FORMAT = 1;

    /** A record that somebody edited so that a part of it is missing is as little read as one that is no JSON. */
    Content {
        Objects.requireNonNull(lastUsed);
        queue = List.copyOf(queue);
        past = List.copyOf(past);
    }

    private static final int KEPT_OF_EACH_KIND = 30;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    static Content read(String json, String object) {
        Content content;
        try {
            content = JSON.readValue(json, Content.class);
        } catch (JsonProcessingException e) {
            throw Failures.damaged(object, e);
        }
        if (content == null || content.format() < 1) {
            throw Failures.damaged(object, null);
        }
        if (content.format() > FORMAT) {
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.TOO_NEW,
                    "Lease " + object + " was written by a newer Interlock than this one. Upgrade this program.");
        }
        return content;
    }

    static Content blank(Instant now) {
        return new Content(FORMAT, null, null, now, 0, List.of(), List.of());
    }

    /** With the newest of each kind, so that refusals cannot push out how the last tenures ended. */
    Content abridged() {
        List<Gone> kept = new ArrayList<>();
        int tenures = 0;
        int notes = 0;
        for (Gone gone : past.reversed()) {
            if ((gone.isTenure() ? tenures++ : notes++) < KEPT_OF_EACH_KIND) {
                kept.addFirst(gone);
            }
        }
        return with(kept);
    }

    /**
     * As JSON that is not longer than that many bytes: what happened is forgotten as far as it must be, the notes first
     * and then the older tenures, but never who holds and who waits.
     */
    String write(int room, String object) {
        Content fitting = this;
        String json = json(fitting);
        while (bytes(json) > room) {
            if (fitting.past.size() < 2) {
                throw Failures.tooLong(object);
            }
            fitting = fitting.shorter();
            json = json(fitting);
        }
        return json;
    }

    private Content shorter() {
        List<Gone> tenures = past.stream().filter(Gone::isTenure).toList();
        return with(tenures.size() < past.size() ? tenures : tenures.subList(tenures.size() / 2, tenures.size()));
    }

    private Content with(List<Gone> others) {
        return new Content(format, tenure, closedUntil, lastUsed, numbered, queue, others);
    }

    /** In bytes. */
    static int size(List<Waiting> queue) {
        return bytes(json(queue));
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new StoreUnavailable(StoreUnavailable.Kind.BROKEN, "A lock cannot be written as JSON.", e);
        }
    }
}
