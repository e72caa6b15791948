package dev.interlock.cli;

import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The manual page of a command. Its prose is a text beside the classes, read only when somebody asks; the options come
 * from the command's own shape, so that they cannot disagree with what it understands.
 */
final class HelpPage {
    private static final int WIDTH = 80;
    private static final String OPTIONS = "{options}\n";
    private static final String EXIT_CODES = "{exit codes}\n";
    private static final String COMMANDS = "{commands}\n";

    private HelpPage() {}

    static String of(String path) {
        String words = path.isEmpty() ? "interlock" : "interlock " + path;
        String text = prose(path);
        int end = text.indexOf('\n');
        String page = "NAME\n    " + words + " - " + text.substring(0, end) + "\n" + text.substring(end + 1);
        if (page.contains(OPTIONS)) {
            page = page.replace(OPTIONS, options(path));
        }
        if (page.contains(COMMANDS)) {
            page = page.replace(COMMANDS, commands(path));
        }
        return page.contains(EXIT_CODES) ? page.replace(EXIT_CODES, Resource.text("help/exit-codes.txt")) : page;
    }

    /** What the command is for, in one line. */
    static String summary(String path) {
        String text = prose(path);
        return text.substring(0, text.indexOf('\n'));
    }

    private static String prose(String path) {
        String file = path.isEmpty() ? "interlock" : path.replace(' ', '-');
        return Resource.text("help/" + file + ".txt");
    }

    private static String commands(String group) {
        StringBuilder list = new StringBuilder();
        for (String path : Commands.PATHS) {
            if (group.isEmpty() || path.startsWith(group + " ")) {
                list.append("    ").append(path).repeat(' ', 24 - path.length());
                list.append(summary(path)).append('\n');
            }
        }
        return list.toString();
    }

    private static String options(String path) {
        StringBuilder list = new StringBuilder();
        for (OptionSpec option : Commands.shape(path).spec().options()) {
            list.append("    ").append(names(option)).append('\n');
            wrap(list, option.description()[0]);
            list.append('\n');
        }
        list.setLength(list.length() - 1);
        return list.toString();
    }

    static String names(OptionSpec option) {
        String names = String.join(", ", List.of(option.names()));
        if (option.arity().max() == 0) {
            return names;
        }
        return option.arity().min() == 0 ? names + " [" + option.paramLabel() + "]" : names + " " + option.paramLabel();
    }

    private static void wrap(StringBuilder out, String text) {
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column + 1 + word.length() > WIDTH || column == 0) {
                out.append(column == 0 ? "" : "\n").append("        ").append(word);
                column = 8 + word.length();
            } else {
                out.append(' ').append(word);
                column += 1 + word.length();
            }
        }
        out.append('\n');
    }
}
