package dev.interlock.kubernetes;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How long a wait may take, by the tenures before: their mean, once for each that is ahead. */
final class Estimate {
    private static final int TENURES = 10;

    private Estimate() {}

    static Optional<Duration> of(List<Gone> newestFirst, int position) {
        List<Duration> tenures = newestFirst.stream()
                .filter(Gone::isTenure)
                .limit(TENURES)
                .map(gone -> Duration.between(gone.began(), gone.ended()))
                .toList();
        return tenures.stream()
                .reduce(Duration::plus)
                .map(sum -> sum.dividedBy(tenures.size()).multipliedBy(position));
    }
}
