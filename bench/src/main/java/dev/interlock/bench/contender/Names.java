package dev.interlock.bench.contender;

import java.util.random.RandomGenerator;

/** So many lock names, dealt out to so many callers; no two callers share one. */
public record Names(int count, int callers) {
    public static final String PREFIX = "production/deployment/service-";

    public static String at(int index) {
        return PREFIX + index;
    }

    /** A name of this caller's own, drawn at random. */
    public String next(int caller, RandomGenerator random) {
        return at(random.nextInt(count / callers) * callers + caller);
    }
}
