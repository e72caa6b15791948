package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;

/** An execution that visits a section, attempt after attempt. */
record Visit(Workforce force, String target, String execution, Section section) {
    static final String DECLARATIONS = """
            workflows:
              visit:
                command: %s
                lease: 6s
                retry: {attempts: 3, first: 1s, longest: 1s, afterLoss: true}
            """.formatted(Section.COMMAND);

    /** The first attempt never comes to its end, the others do at once. */
    static final String FIRST_STAYS = "[ \"$INTERLOCK_ATTEMPT\" -gt 1 ] || sleep 600";

    /** Each attempt comes to its end when it is told to. */
    static final String EACH_WAITS = "until [ -e \"$JOURNAL.open.$INTERLOCK_ATTEMPT\" ]; do sleep 0.05; done";

    static Visit begin(Workforce force, String target, String work) throws IOException {
        Section section = Section.in(force.path(target));
        return new Visit(force, target, force.submit("visit", target, section.parameters(work)), section);
    }

    /** To the store of these workers, over this wire. */
    static Cli over(Wire wire, Workforce force) {
        String password = force.server().address().password();
        return force.cli().with("INTERLOCK_STORE", Server.url(password, wire.port()));
    }

    /** Lets an attempt come to its end. */
    void open(int attempt) throws IOException {
        Files.createFile(section.journal().resolveSibling("journal.open." + attempt));
    }

    /** Who runs it, or has run it last. */
    String owner() {
        return force.of(execution, "owner");
    }

    /** One attempt was lost, a second one completed; nothing of the first was alive by then. */
    void assertLostOnceAndCompleted() {
        Trail trail = Trail.of(force.server(), target);
        assertThat(trail.violations()).isEmpty();
        assertThat(trail.all("EXPIRED")).hasSize(1);
        assertThat(trail.all("GRANTED")).hasSize(2);
        assertThat(section.read().violations(Set.of(execution))).isEmpty();
        assertThat(section.read().left()).containsExactly(execution);
    }
}
