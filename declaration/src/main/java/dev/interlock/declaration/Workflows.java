package dev.interlock.declaration;

import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.declaration.Piece.Items;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what runs: the command, what its exit codes mean, and the policy. */
final class Workflows {
    static final List<String> KEYS = keys();

    private static final int LARGEST_EXIT = 255;

    private Workflows() {}

    private static List<String> keys() {
        List<String> keys = new ArrayList<>(List.of("command", "transientExits"));
        keys.addAll(Policies.KEYS);
        return List.copyOf(keys);
    }

    static Workflow read(String name, Form form) {
        return new Workflow(name, command(form), transientExits(form), Policies.read(form));
    }

    private static List<String> command(Form form) {
        Piece piece = form.piece("command");
        if (piece == null) {
            return List.of();
        }
        if (!(piece instanceof Items list)) {
            form.wrong("command", piece, "a list of words such as [./create.sh] or [sh, -c, 'make all']");
            return List.of();
        }
        List<Word> words = form.words("command", list);
        if (words != null && words.isEmpty()) {
            form.add(
                    piece.line(),
                    "A command has at least one word: the program. Without the key a handler does the work.");
        }
        return words == null ? List.of() : words.stream().map(Word::text).toList();
    }

    private static Set<Integer> transientExits(Form form) {
        Piece piece = form.piece("transientExits");
        if (piece == null) {
            return Workflow.TEMPORARY;
        }
        if (!(piece instanceof Items list)) {
            form.wrong("transientExits", piece, "a list of numbers");
            return Workflow.TEMPORARY;
        }
        Set<Integer> exits = new LinkedHashSet<>();
        for (Piece item : list.items()) {
            Integer exit = exit(form, item);
            if (exit != null) {
                exits.add(exit);
            }
        }
        return exits;
    }

    private static @Nullable Integer exit(Form form, Piece item) {
        Integer exit = form.number("transientExits", item);
        if (exit != null && (exit < 1 || exit > LARGEST_EXIT)) {
            form.add(item.line(), "An exit code of failure is between 1 and 255, not " + exit + ".");
        }
        return exit;
    }
}
