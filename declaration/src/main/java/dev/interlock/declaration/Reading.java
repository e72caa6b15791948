package dev.interlock.declaration;

import dev.interlock.core.lifecycle.Catalogue;
import java.util.List;

/** What came of reading declarations. */
public sealed interface Reading {
    /**
     * Nothing is wrong.
     *
     * @param catalogue as it is written, which is the same on every machine
     * @param here the same for a worker of this machine: a relative command is found from the directory of its file
     */
    record Declared(Catalogue catalogue, Catalogue here) implements Reading {}

    /** Something is wrong: everything that is, one sentence each with its file and line, in their order. */
    record Malformed(List<String> findings) implements Reading {
        public Malformed {
            findings = List.copyOf(findings);
        }
    }
}
