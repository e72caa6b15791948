package dev.interlock.cli.output;

/** What a command found out, in both of its forms; only the one that is wanted is made. */
public interface Answer {
    Data data();

    /** For people: whole lines, or nothing. */
    String text(int columns, boolean colours);

    /**
     * In the form that is wanted.
     *
     * @param columns how wide the terminal is; 0 when it is none
     */
    default String in(Format format, int columns, boolean colours) {
        return switch (format) {
            case TABLE -> text(columns, colours);
            case JSON -> Json.write(data());
            case YAML -> Yaml.write(data());
        };
    }
}
