package dev.interlock.core.janitor;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether to judge now. When many runners seem to be gone at once, or the store itself has just come back, it is more
 * likely that nobody could reach the store: then the longest lease is waited for, so that whoever lives can report.
 */
public sealed interface Brake {
    enum Off implements Brake {
        OFF
    }

    record On(String reason, Instant until) implements Brake {}

    /** Fewer than this are no crowd. */
    int MANY = 5;

    static Brake judge(Census census) {
        return Stream.of(restored(census), restarted(census), crowd(census))
                .flatMap(Optional::stream)
                .filter(on -> on.until().isAfter(census.seenAt()))
                .max(Comparator.comparing(On::until))
                .<Brake>map(on -> on)
                .orElse(Off.OFF);
    }

    /** Whether this finding has to wait. */
    default boolean holdsBack(Finding finding) {
        return this instanceof On && finding.isJudgement();
    }

    default String sentence() {
        return switch (this) {
            case Off off -> "Nothing is held back.";
            case On(String reason, Instant until) ->
                reason + " No runner is judged before " + until.truncatedTo(ChronoUnit.SECONDS) + ".";
        };
    }

    private static Optional<On> restored(Census census) {
        return Optional.ofNullable(census.grantsResumeAt())
                .map(until -> new On("The store has failed over or was restored.", until));
    }

    private static Optional<On> restarted(Census census) {
        Instant start = census.serverStartedAt();
        return census.running() == 0
                ? Optional.empty()
                : Optional.of(new On(
                        "The store was started at " + start.truncatedTo(ChronoUnit.SECONDS) + ".",
                        start.plus(census.longestLease())));
    }

    /** The wait counts from the first of them: however many follow, each is judged after one longest lease. */
    private static Optional<On> crowd(Census census) {
        boolean many = census.expired() >= MANY && census.expired() * 2 > census.running();
        return Optional.ofNullable(census.firstExpiry())
                .filter(first -> many)
                .map(first -> new On(
                        "The leases of " + census.expired() + " of " + census.running()
                                + " running attempts are over at once.",
                        first.plus(census.longestLease())));
    }
}
