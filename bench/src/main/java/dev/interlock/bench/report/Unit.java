package dev.interlock.bench.report;

import java.util.Locale;

/** How a value is written. */
public enum Unit {
    PER_SECOND {
        @Override
        String format(double value) {
            return String.format(Locale.ROOT, "%,.0f/s", value);
        }
    },
    MILLIS {
        @Override
        String format(double value) {
            return String.format(Locale.ROOT, "%,." + (value < 10 ? 2 : value < 100 ? 1 : 0) + "f ms", value);
        }
    },
    TIMES {
        @Override
        String format(double value) {
            return String.format(Locale.ROOT, "%." + (value < 10 ? 2 : 1) + "f ×", value);
        }
    },
    NUMBER {
        @Override
        String format(double value) {
            return String.format(Locale.ROOT, "%,." + (value < 100 ? 2 : 0) + "f", value);
        }
    };

    abstract String format(double value);
}
