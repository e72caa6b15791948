package dev.interlock.declaration;

import dev.interlock.core.lifecycle.Finding;

/** The file cannot be read any further. */
final class NotYaml extends Exception {
    private final transient Finding finding;

    NotYaml(int line, String sentence) {
        super(sentence);
        finding = new Finding(line, sentence);
    }

    Finding finding() {
        return finding;
    }
}
