package dev.interlock.bench.report;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What one measurement of one contender found: its figures, and the histograms of nanoseconds behind them. */
public record Reading(List<Figure.Value> values, Map<String, Histogram> histograms) {}
