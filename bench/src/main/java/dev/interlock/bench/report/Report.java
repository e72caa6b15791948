package dev.interlock.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** The whole report in Markdown: where and how, a section for each workload, and how the contenders were set up. */
public record Report(List<Fact> facts, List<Section> sections) {
    private static final String READING = """
            Each value is the median of the rounds. The first contender of a table is its baseline and is shown as it \
            is; the others as the ratio to the baseline of the same round, with the value itself in brackets.
            """;

    public record Fact(String name, String value) {}

    /** One workload: its table, what could not be measured, and the settings of those who took part. */
    public record Section(
            String title, String method, Table table, List<String> notes, SequencedMap<String, String> settings) {}

    public String markdown() {
        var parts = new ArrayList<String>();
        parts.add("# Interlock beside its peers\n");
        parts.add(list(
                facts.stream().map(fact -> fact.name() + ": " + fact.value()).toList()));
        parts.add(READING);
        for (var section : sections) {
            parts.add("## " + section.title() + "\n");
            parts.add(section.method() + "\n");
            parts.add(section.table().markdown());
            section.notes().forEach(note -> parts.add(note + "\n"));
        }
        parts.add("## Contenders\n");
        parts.add(list(settings().entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(entry -> "**" + entry.getKey() + "**: " + entry.getValue())
                .toList()));
        return String.join("\n", parts);
    }

    private Map<String, String> settings() {
        var all = new LinkedHashMap<String, String>();
        sections.forEach(section -> all.putAll(section.settings()));
        return all;
    }

    private static String list(List<String> items) {
        var lines = new StringBuilder();
        items.forEach(item -> lines.append("- ").append(item).append('\n'));
        return lines.toString();
    }
}
