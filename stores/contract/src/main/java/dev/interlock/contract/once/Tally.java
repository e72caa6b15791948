package dev.interlock.contract.once;

import java.util.ArrayList;
import java.util.List;

/** What all callers were told, beside what there is. */
record Tally(List<String> answers, List<String> things) {
    long created() {
        return count("created ");
    }

    long existed() {
        return count("existed ");
    }

    private long count(String word) {
        return answers.stream().filter(answer -> answer.startsWith(word)).count();
    }

    /** What must never be, in words; nothing when all is well. */
    List<String> violations() {
        List<String> violations = new ArrayList<>();
        if (things.size() != 1) {
            violations.add("there are " + things);
        }
        if (created() > 1) {
            violations.add(created() + " were told that they created it");
        }
        for (String answer : answers) {
            boolean told = answer.startsWith("created ") || answer.startsWith("existed ");
            if (!told || !things.contains(answer.substring(answer.indexOf(' ') + 1))) {
                violations.add(answer);
            }
        }
        return violations;
    }
}
