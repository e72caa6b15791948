package dev.interlock.bench.jobs;

import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** What all processes ran, checked: target by target, in the order in which the runs began. */
record Runs(Collection<List<Ran>> lines) {
    static final Figure EXCLUSIVE = Figure.absolute("exclusive", Unit.KEPT);
    static final Figure IN_ORDER = Figure.absolute("in order", Unit.KEPT);

    static Runs of(Collection<Ran> ran) {
        return new Runs(ran.stream()
                .sorted(Comparator.comparingLong(Ran::start))
                .collect(Collectors.groupingBy(Ran::target))
                .values());
    }

    List<Figure.Value> promises() {
        return List.of(EXCLUSIVE.is(overlaps()), IN_ORDER.is(disorders()));
    }

    /** Runs that began while another of their target was going on. */
    int overlaps() {
        var overlaps = 0;
        for (var line : lines) {
            var end = Long.MIN_VALUE;
            for (var ran : line) {
                overlaps += ran.start() < end ? 1 : 0;
                end = Math.max(end, ran.end() == 0 ? Long.MAX_VALUE : ran.end());
            }
        }
        return overlaps;
    }

    /** Runs that began after a later one of their target, and runs of what had run before. */
    int disorders() {
        var disorders = 0;
        for (var line : lines) {
            var newest = -1;
            for (var ran : line) {
                disorders += ran.number() <= newest ? 1 : 0;
                newest = Math.max(newest, ran.number());
            }
        }
        return disorders;
    }

    /**
     * From the end of each run to the start of the next one on its target, where one waited for the other.
     *
     * @param since earlier ends do not count
     */
    Histogram handovers(long since) {
        var handovers = new Histogram(3);
        for (var line : lines) {
            for (var i = 1; i < line.size(); i++) {
                var gap = line.get(i).start() - line.get(i - 1).end();
                if (line.get(i - 1).end() != 0 && line.get(i - 1).end() - since >= 0 && gap >= 0) {
                    handovers.recordValue(gap);
                }
            }
        }
        return handovers;
    }

    Runs and(Runs others) {
        var all = new ArrayList<Ran>();
        lines.forEach(all::addAll);
        others.lines.forEach(all::addAll);
        return of(all);
    }
}
