package dev.interlock.bench.report;

/** One quantity of a workload; a compared one is shown as a ratio to the baseline of the same round. */
public record Figure(String name, Unit unit, boolean compared) {
    public static Figure compared(String name, Unit unit) {
        return new Figure(name, unit, true);
    }

    public static Figure absolute(String name, Unit unit) {
        return new Figure(name, unit, false);
    }

    public Value is(double value) {
        return new Value(this, value);
    }

    /** What was found of a figure. */
    public record Value(Figure figure, double value) {}
}
