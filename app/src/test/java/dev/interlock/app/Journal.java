package dev.interlock.app;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What went on inside a critical section, in the words of those inside: {@code enter TOKEN WHO}, {@code leave TOKEN WHO},
 * and {@code intruder TOKEN WHO} from one that found a process of somebody else still there.
 */
record Journal(List<Line> lines) {
    record Line(String what, long token, String who) {
        static Line of(String text) {
            String[] words = text.split(" ", -1);
            return new Line(words[0], Long.parseLong(words[1]), words[2]);
        }
    }

    static Journal of(List<String> texts) {
        return new Journal(texts.stream().map(Line::of).toList());
    }

    Set<String> entered() {
        return who("enter");
    }

    Set<String> left() {
        return who("leave");
    }

    private Set<String> who(String what) {
        Set<String> who = new HashSet<>();
        for (Line line : lines) {
            if (line.what().equals(what)) {
                who.add(line.who());
            }
        }
        return who;
    }

    /** @param killed who may have no last word; that nothing of them was alive, the next one in has seen for itself */
    List<String> violations(Set<String> killed) {
        List<String> violations = new ArrayList<>();
        Line inside = null;
        long latest = 0;
        for (Line line : lines) {
            switch (line.what()) {
                case "enter" -> {
                    if (inside != null && !killed.contains(inside.who())) {
                        violations.add(line + " while inside was " + inside);
                    }
                    if (line.token() <= latest) {
                        violations.add(line + " after token " + latest);
                    }
                    inside = line;
                    latest = line.token();
                }
                case "leave" -> {
                    if (inside == null || inside.token() != line.token()) {
                        violations.add(line + " while inside was " + inside);
                    }
                    inside = null;
                }
                default -> violations.add(line.toString());
            }
        }
        if (inside != null && !killed.contains(inside.who())) {
            violations.add(inside + " never left");
        }
        return violations;
    }
}
