package dev.interlock.bench.workload;

import dev.interlock.bench.workload.Window.Span;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/** All turns that the waiters of all processes took at one lock, in the order in which they had it. */
record Turns(List<Turn> inOrder) {
    static Turns of(Collection<Turn> turns) {
        var inOrder =
                turns.stream().sorted(Comparator.comparingLong(Turn::acquired)).toList();
        for (var i = 1; i < inOrder.size(); i++) {
            if (inOrder.get(i).acquired() < inOrder.get(i - 1).releasing()) {
                throw new IllegalStateException("Two held the lock at once: " + inOrder.subList(i - 1, i + 1));
            }
        }
        return new Turns(inOrder);
    }

    /** From the moment a holder calls release to the moment the acquire of the next one has returned. */
    Histogram handOffs(Span span) {
        var handOffs = new Histogram(3);
        for (var i = 1; i < inOrder.size(); i++) {
            if (span.contains(inOrder.get(i).acquired())) {
                handOffs.recordValue(
                        inOrder.get(i).acquired() - inOrder.get(i - 1).releasing());
            }
        }
        return handOffs;
    }

    /** Waits that ended inside the span or outlasted it: a waiter that starved is not forgotten. */
    Histogram waits(Span span) {
        var waits = new Histogram(3);
        inOrder.stream()
                .filter(turn -> span.contains(turn.acquired()) || span.over(turn.acquired()))
                .forEach(turn -> waits.recordValue(turn.waited()));
        return waits;
    }

    /** Turns that began inside the span, by waiter; a waiter without one counts as zero. */
    long[] shares(Span span, int waiters) {
        var shares = new long[waiters];
        inOrder.stream().filter(turn -> span.contains(turn.acquired())).forEach(turn -> shares[turn.waiter()]++);
        return shares;
    }

    /** Jain's index of fairness: 1 when all have the same share, 1/n when one has everything. */
    static double jain(long... shares) {
        var sum = (double) LongStream.of(shares).sum();
        var squares = LongStream.of(shares)
                .mapToDouble(share -> (double) share * share)
                .sum();
        return sum * sum / (shares.length * squares);
    }
}
