package dev.interlock.kubernetes;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.interlock.core.StoreUnavailable;
import java.time.Instant;
import java.util.List;
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
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.MISCONFIGURED,
                    "Somebody has edited what Interlock keeps in the annotations of Lease " + object
                            + ", and it cannot be read any more. When nobody holds that lock, delete the Lease.",
                    e);
        }
        if (content.format() > FORMAT) {
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.TOO_NEW,
                    "Lease " + object + " was written by a newer Interlock than this one. Upgrade this program.");
        }
        return content;
    }

    String write() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new StoreUnavailable(StoreUnavailable.Kind.BROKEN, "A lock cannot be written as JSON.", e);
        }
    }
}
