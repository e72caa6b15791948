package dev.interlock.core.work;

import dev.interlock.core.LockName;
import dev.interlock.core.Nearest;
import dev.interlock.core.Page;
import dev.interlock.core.Wording;
import dev.interlock.core.lifecycle.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Resources: targets with a lifecycle. */
public interface ResourceStore {
    /**
     * A resource as it is kept.
     *
     * @param fields what tells it from others, such as its name and platform
     * @param expiresAt when its time to live is over; null when it may live for ever
     */
    record Kept(
            LockName target,
            Resource resource,
            Map<String, String> fields,
            @Nullable Instant expiresAt,
            Instant registeredAt) {}

    /** The answer to a registration. */
    sealed interface Registration {
        record Registered(Kept resource) implements Registration {}

        /** It is there already, as it was asked for. */
        record Repeated(Kept resource) implements Registration {}

        /** The target is a resource already, with another lifecycle or other fields. */
        record Different(Kept resource) implements Registration {}

        /** Another resource has the same name. */
        record NameTaken(Kept other) implements Registration {}

        /**
         * Nobody has declared that lifecycle.
         *
         * @param known those that are declared
         */
        record UnknownLifecycle(String name, List<String> known) implements Registration {}

        /** The lifecycle tells resources apart by fields that were not given. */
        record MissingFields(String lifecycle, List<String> fields) implements Registration {}

        default String sentence() {
            return switch (this) {
                case Registered(Kept kept) ->
                    "Registered '" + kept.target() + "' in state '"
                            + kept.resource().state() + "'.";
                case Repeated(Kept kept) ->
                    "'" + kept.target() + "' is registered already; it is in state '"
                            + kept.resource().state() + "'.";
                case Different(Kept kept) ->
                    "Refused: '" + kept.target() + "' is registered already, with another lifecycle, other fields or"
                            + " another time to live. See: interlock resources show "
                            + Wording.quoted(kept.target().value());
                case NameTaken(Kept other) ->
                    "Refused: resource '" + other.target() + "' in state '"
                            + other.resource().state() + "' has the same name. See: interlock resources show "
                            + Wording.quoted(other.target().value());
                case UnknownLifecycle(String name, List<String> known) ->
                    "Refused: nobody has declared a lifecycle '" + name + "'" + Nearest.hint(name, known);
                case MissingFields(String lifecycle, List<String> fields) ->
                    "Refused: lifecycle '" + lifecycle + "' tells resources apart by " + String.join(", ", fields)
                            + ": give each a value.";
            };
        }
    }

    /** The longest value of a field, in characters. */
    int LONGEST_FIELD = 512;

    /** How many fields a resource may have. */
    int MOST_FIELDS = 50;

    /**
     * Makes the target a resource, in the initial state of its lifecycle. A repeat changes nothing.
     *
     * @param timeToLive how long it may live by the store's clock; null for ever
     * @throws IllegalArgumentException if there are too many fields, or one that cannot be kept
     */
    Registration register(
            LockName target, String lifecycle, Map<String, String> fields, @Nullable Duration timeToLive, String by);

    Optional<Kept> find(LockName target);

    /** In canonical order. */
    Page<Kept> list(@Nullable String lifecycle, @Nullable String state, Page.Request page);
}
