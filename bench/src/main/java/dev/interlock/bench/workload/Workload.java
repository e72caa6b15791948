package dev.interlock.bench.workload;

import dev.interlock.bench.report.Reading;
import java.util.List;

/** One question asked of several contenders, in one or more situations. */
public interface Workload {
    /** The name by which {@code --only} selects it. */
    String id();

    String title();

    /** How the figures are had, for the reader of the report. */
    String method();

    /** What the situations have in common: the heading of their column. */
    String situations();

    /** The contender that the others are set against. */
    String baseline();

    List<Situation> list();

    /** How often everybody's turn comes in a round: more often what is soon measured, for a machine's speed changes. */
    default int turns() {
        return 1;
    }

    /** What the reader must be told besides: contenders that are missing, figures that could not be had. */
    List<String> notes();

    record Situation(String name, List<Trial> trials) {}

    /** One contender in one situation, measured once in each round; the settings are empty where its name says all. */
    record Trial(String contender, String settings, Measure measure) {}

    interface Measure {
        Reading once() throws Exception;
    }
}
