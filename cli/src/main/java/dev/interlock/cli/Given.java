package dev.interlock.cli;

import dev.interlock.cli.output.Format;
import dev.interlock.core.DurationText;
import dev.interlock.core.Holder;
import dev.interlock.core.LockName;
import dev.interlock.core.Maintenance;
import dev.interlock.core.Nearest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** What the user gave, read and checked. Whatever is wrong becomes one sentence that names the option. */
final class Given {
    private final CommandSpec spec;
    private final List<String> command;

    private Given(CommandSpec spec, List<String> command) {
        this.spec = spec;
        this.command = command;
    }

    /** @param command what followed {@code --} and is none of our business */
    static Given parse(CommandSpec spec, List<String> arguments, List<String> command) {
        CommandLine parser = new CommandLine(spec);
        parser.setExpandAtFiles(false);
        parser.setInterpolateVariables(false);
        try {
            parser.parseArgs(arguments.toArray(new String[0]));
        } catch (ParameterException e) {
            throw new UsageError(sentence(e));
        }
        return new Given(spec, command);
    }

    private static String sentence(ParameterException e) {
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
            return unmatched(
                    unmatched.getUnmatched().getFirst(), e.getCommandLine().getCommandSpec());
        }
        String message = String.valueOf(e.getMessage());
        return message.endsWith(".") ? message : message + ".";
    }

    private static String unmatched(String word, CommandSpec spec) {
        if (!word.startsWith("-")) {
            return "'" + word + "' is one word too many.";
        }
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        String meant = Nearest.likely(name, spec.optionsMap().keySet());
        return "There is no option '" + name + "' here." + (meant == null ? "" : " Did you mean " + meant + "?");
    }

    List<String> command() {
        return command;
    }

    boolean has(String flag) {
        return Boolean.TRUE.equals(value(flag));
    }

    @Nullable String text(String option) {
        return (String) value(option);
    }

    String text(String option, String otherwise) {
        String text = text(option);
        return text == null ? otherwise : text;
    }

    List<String> texts(String option) {
        String[] texts = (String[]) value(option);
        return texts == null ? List.of() : List.of(texts);
    }

    private @Nullable Object value(String option) {
        OptionSpec found = spec.findOption(option);
        return found == null ? null : found.getValue();
    }

    String positional() {
        return spec.positionalParameters().getFirst().getValue();
    }

    List<String> words() {
        String[] given = spec.positionalParameters().getFirst().getValue();
        return given == null ? List.of() : List.of(given);
    }

    /** Who or what: one line, not too long. */
    @Nullable String identifier(String option) {
        String text = text(option);
        if (text != null) {
            try {
                new Holder(text, 1, text, text);
            } catch (IllegalArgumentException e) {
                throw new UsageError(option + " must have 1 to 256 characters, none of them a control character.");
            }
        }
        return text;
    }

    /** What a person has to say; null when they said nothing. */
    @Nullable String prose(String option) {
        String text = text(option);
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            new Maintenance(text, null);
        } catch (IllegalArgumentException e) {
            throw new UsageError(option + ": " + e.getMessage());
        }
        return text;
    }

    LockName name() {
        return name(positional());
    }

    static LockName name(String text) {
        if (text.indexOf('\uFFFD') >= 0) {
            throw new UsageError("The lock name '" + text + "' is not valid UTF-8.");
        }
        try {
            return LockName.of(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }

    Duration duration(String option, Duration otherwise, Duration least, Duration most) {
        Duration duration = duration(option, least, most);
        return duration == null ? otherwise : duration;
    }

    @Nullable Duration duration(String option, Duration least, Duration most) {
        String text = text(option);
        if (text == null) {
            return null;
        }
        Duration duration;
        try {
            duration = DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError(option + ": " + e.getMessage());
        }
        if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
            throw new UsageError(option + " must be between " + DurationText.show(least) + " and "
                    + DurationText.show(most) + ", not " + text + ".");
        }
        return duration;
    }

    long number(String option, long otherwise, long least, long most) {
        String text = text(option);
        if (text == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, as any other number that does not fit.
        }
        String bound = most == Long.MAX_VALUE ? "of at least " + least : "between " + least + " and " + most;
        throw new UsageError(option + " takes a number " + bound + ", not '" + text + "'.");
    }

    boolean gives(String option) {
        return text(option) != null;
    }

    long token() {
        return number("--token", 0, 1, Long.MAX_VALUE);
    }

    Format format() {
        String text = text(Shape.OUTPUT, "table");
        return switch (text) {
            case "table" -> Format.TABLE;
            case "json" -> Format.JSON;
            case "yaml" -> Format.YAML;
            default -> throw new UsageError(Shape.OUTPUT + " takes table, json or yaml, not '" + text + "'.");
        };
    }
}
