package dev.interlock.core.janitor;

import java.util.List;

/** What is due now, and the whole it belongs to. */
public record Sight(List<Finding> findings, Census census) {
    public Sight {
        findings = List.copyOf(findings);
    }
}
