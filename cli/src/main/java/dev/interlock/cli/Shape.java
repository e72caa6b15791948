package dev.interlock.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * What a command understands. Every value is text for the parser and is read by {@link Given}, which knows the option's
 * name and can say what is wrong in one sentence. The parser's annotations and standard options are never used: they
 * cost 60 ms at every start.
 */
final class Shape {
    static final String STORE = "--store";
    static final String DEBUG = "--debug";
    static final String HELP = "--help";
    static final String OUTPUT = "--output";
    static final String QUIET = "--quiet";

    private final CommandSpec spec;

    Shape(String name) {
        spec = CommandSpec.create().name(name);
    }

    CommandSpec spec() {
        return spec;
    }

    Shape positional(String label, String description) {
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel(label)
                .index("0")
                .arity("1")
                .required(true)
                .type(String.class)
                .description(description)
                .build());
        return this;
    }

    Shape words(String label, String description) {
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel(label)
                .index("0..*")
                .arity("0..*")
                .type(String[].class)
                .description(description)
                .build());
        return this;
    }

    Shape name() {
        return positional("NAME", "The name of the lock, which is the name of the target it protects.");
    }

    Shape option(String name, String label, String description) {
        return add(OptionSpec.builder(name).paramLabel(label).description(description));
    }

    Shape required(String name, String label, String description) {
        return add(OptionSpec.builder(name)
                .paramLabel(label)
                .description(description)
                .required(true));
    }

    Shape repeatable(String name, String label, String description, String... shorter) {
        return add(OptionSpec.builder(name, shorter)
                .paramLabel(label)
                .description(description)
                .type(String[].class)
                .arity("1"));
    }

    /** An option that may come without its value. */
    Shape optionalValue(String name, String label, String fallback, String description) {
        return add(OptionSpec.builder(name)
                .paramLabel(label)
                .description(description)
                .arity("0..1")
                .fallbackValue(fallback));
    }

    Shape flag(String description, String... names) {
        spec.addOption(OptionSpec.builder(names)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build());
        return this;
    }

    Shape output() {
        return add(OptionSpec.builder("-o", OUTPUT)
                .paramLabel("FORMAT")
                .description("How to answer: table (for people), json or yaml (for programs). Default: table."));
    }

    Shape quiet() {
        return flag("Say nothing but what went wrong.", "-q", QUIET);
    }

    Shape common() {
        option(
                STORE,
                "ADDRESS",
                "The store: postgres://[USER@]HOST[:PORT]/DATABASE[?PARAMETERS], without a password, or"
                        + " dynamodb://TABLE[?region=REGION]. Default: $INTERLOCK_STORE, else the PostgreSQL that Interlock keeps on this machine.");
        flag("Show the stack trace of an error.", DEBUG);
        return flag("Show this page.", "-h", HELP);
    }

    private Shape add(OptionSpec.Builder option) {
        if (option.type() == null) {
            option.type(String.class);
        }
        spec.addOption(option.build());
        return this;
    }
}
