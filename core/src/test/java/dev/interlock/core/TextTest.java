package dev.interlock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TextTest {
    private static final LockName NAME = LockName.of("db");

    static Stream<Named<Consumer<String>>> places() {
        return Stream.of(
                Named.of("execution", text -> new Holder(text, 1, "host:1:a", "alice")),
                Named.of("owner", text -> new Holder("exec-1", 1, text, "alice")),
                Named.of("user", text -> new Holder("exec-1", 1, "host:1:a", text)),
                Named.of("reason of a force", text -> new Force(NAME, 1, "alice", text, false)),
                Named.of("actor of a force", text -> new Force(NAME, 1, text, "stuck", false)),
                Named.of("reason for maintenance", text -> new Maintenance(text, null)),
                Named.of("ticket of a maintenance", text -> new Maintenance("disk swap", text)),
                Named.of("prefix", text -> new LockFilter(Set.of(), text, null, null, null)),
                Named.of("user to list", text -> new LockFilter(Set.of(), null, null, text, null)));
    }

    @ParameterizedTest
    @MethodSource("places")
    void text_that_no_store_can_keep_is_refused(Consumer<String> place) {
        assertThat(catchThrowable(() -> place.accept("a\u0000b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("U+0000");
        assertThat(catchThrowable(() -> place.accept("a\uD800b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("U+D800");
        assertThat(catchThrowable(() -> place.accept("x".repeat(1001))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this one has 1001");
    }

    @ParameterizedTest
    @MethodSource("places")
    void any_other_text_is_accepted(Consumer<String> place) {
        place.accept("it's \u201Cdone\u201D; DROP TABLE locks; -- \uD83D\uDD12 \u05E9\u05DC\u05D5\u05DD");
    }
}
