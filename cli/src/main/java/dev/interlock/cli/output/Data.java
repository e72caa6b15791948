package dev.interlock.cli.output;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer as a tree of values, before it is written as JSON or YAML. */
public sealed interface Data {
    record Text(String value) implements Data {}

    record Numeral(BigDecimal value) implements Data {}

    record Truth(boolean value) implements Data {}

    enum Nothing implements Data {
        NOTHING
    }

    record Items(List<? extends Data> items) implements Data {}

    record Field(String name, Data value) {}

    /** Named values in the order in which they were added. Times are ISO 8601 in UTC, durations decimal seconds. */
    final class Fields implements Data {
        private final List<Field> fields = new ArrayList<>();

        List<Field> fields() {
            return fields;
        }

        public Fields with(String name, @Nullable String value) {
            return with(name, value == null ? null : new Text(value));
        }

        public Fields with(String name, @Nullable Long value) {
            return with(name, value == null ? null : new Numeral(BigDecimal.valueOf(value)));
        }

        public Fields with(String name, int value) {
            return with(name, new Numeral(BigDecimal.valueOf(value)));
        }

        public Fields with(String name, boolean value) {
            return with(name, new Truth(value));
        }

        public Fields with(String name, @Nullable Instant value) {
            return with(
                    name,
                    value == null ? null : value.truncatedTo(ChronoUnit.MILLIS).toString());
        }

        public Fields with(String name, @Nullable Duration value) {
            return with(
                    name,
                    value == null
                            ? null
                            : new Numeral(
                                    BigDecimal.valueOf(value.toMillis(), 3).stripTrailingZeros()));
        }

        public Fields with(String name, List<? extends Data> value) {
            return with(name, new Items(value));
        }

        public Fields with(String name, @Nullable Data value) {
            fields.add(new Field(name, value == null ? Nothing.NOTHING : value));
            return this;
        }
    }
}
