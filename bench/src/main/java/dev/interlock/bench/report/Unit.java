package dev.interlock.bench.report;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** How a value is written: as many decimals as leave two or three digits to read. */
public enum Unit {
    PER_SECOND {
        @Override
        String format(double value) {
            return rounded(value, 0) + "/s";
        }
    },
    MILLIS {
        @Override
        String format(double value) {
            return rounded(value, decimals(value)) + " ms";
        }
    },
    TIMES {
        @Override
        String format(double value) {
            return rounded(value, decimals(value)) + " ×";
        }
    },
    SECONDS {
        @Override
        String format(double value) {
            return rounded(value, decimals(value)) + " s";
        }
    },
    NUMBER {
        @Override
        String format(double value) {
            return rounded(value, value < 100 ? 2 : 0);
        }
    },
    /** A promise, by how often it was broken; of several rounds the worst counts. */
    KEPT {
        @Override
        String format(double value) {
            return value == 0 ? "yes" : "no: " + rounded(value, 0) + " ×";
        }

        @Override
        double among(List<Double> values) {
            return Collections.max(values);
        }
    };

    abstract String format(double value);

    /** The value that stands for those of all rounds. */
    double among(List<Double> values) {
        return Median.of(values);
    }

    private static int decimals(double value) {
        return value < 0.01 ? 5 : value < 0.1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
    }

    private static String rounded(double value, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
