package dev.interlock.bench.workload;

import org.HdrHistogram.Histogram;

/** Percentiles of a histogram of nanoseconds, in milliseconds. */
public final class Millis {
    private Millis() {}

    public static double at(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e6;
    }
}
