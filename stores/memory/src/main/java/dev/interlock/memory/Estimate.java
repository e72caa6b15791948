package dev.interlock.memory;

import dev.interlock.core.Past;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How long a wait may take, by the tenures before: their mean, once for each that is ahead. */
final class Estimate {
    private static final int TENURES = 10;

    private Estimate() {}

    static Optional<Duration> of(List<Past> newestFirst, int position) {
        List<Duration> tenures = newestFirst.stream()
                .filter(past -> past.event() != Past.Event.REFUSED && past.event() != Past.Event.FORCE_ORDERED)
                .limit(TENURES)
                .map(past -> Duration.between(past.began(), past.ended()))
                .toList();
        return tenures.stream()
                .reduce(Duration::plus)
                .map(sum -> sum.dividedBy(tenures.size()).multipliedBy(position));
    }
}
