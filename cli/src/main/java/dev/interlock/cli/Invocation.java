package dev.interlock.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Which command was called, and with what.
 *
 * @param path the words of the command, joined by a blank; empty when none was named
 * @param arguments everything else, up to the first {@code --} where the command takes another command
 * @param command what followed that {@code --}
 */
record Invocation(String path, List<String> arguments, List<String> command) {

    static Invocation of(String... words) {
        List<String> rest = new ArrayList<>(List.of(words));
        String path = takeWord(rest);
        if (Commands.isGroup(path)) {
            path = (path + " " + takeWord(rest)).strip();
        }
        int end = path.equals("run") ? rest.indexOf("--") : -1;
        return end < 0
                ? new Invocation(path, rest, List.of())
                : new Invocation(
                        path, List.copyOf(rest.subList(0, end)), List.copyOf(rest.subList(end + 1, rest.size())));
    }

    /** Options that every command has may also come before it. */
    private static String takeWord(List<String> words) {
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            if (word.equals("--")) {
                return "";
            }
            if (!word.startsWith("-")) {
                return words.remove(at);
            }
            if (word.equals(Shape.STORE)) {
                at++;
            }
        }
        return "";
    }

    boolean asksFor(String... flags) {
        for (String argument : arguments) {
            if (argument.equals("--")) {
                return false;
            }
            for (String flag : flags) {
                if (argument.equals(flag)) {
                    return true;
                }
            }
        }
        return false;
    }
}
