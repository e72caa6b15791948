package dev.interlock.bench.report;

/** What was found of one figure of one contender in one situation of one round. */
public record Measurement(int round, String situation, String contender, Figure figure, double value) {}
