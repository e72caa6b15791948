package dev.interlock.declaration;

import java.util.List;

/** A piece of a file, and the line on which it begins. */
sealed interface Piece {
    record Text(String value, int line) implements Piece {}

    record Items(List<Piece> items, int line) implements Piece {}

    record Fields(List<Field> fields, int line) implements Piece {}

    record Field(Text key, Piece value) {}

    int line();

    default String kind() {
        return switch (this) {
            case Text text when text.value().isEmpty() -> "nothing";
            case Text text -> "'" + shown(text.value()) + "'";
            case Items items -> "a list";
            case Fields fields -> "a map";
        };
    }

    /** Fit for a sentence, whatever somebody wrote. */
    static String shown(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
