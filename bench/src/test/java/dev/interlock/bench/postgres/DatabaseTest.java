package dev.interlock.bench.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DatabaseTest {
    @Test
    void a_sibling_differs_in_its_name_alone() {
        var home = new Database("jdbc:postgresql://db:5432/postgres?user=me&password=pw");
        assertThat(home.sibling("other"))
                .isEqualTo(new Database("jdbc:postgresql://db:5432/other?user=me&password=pw"));
    }

    @Test
    void the_name_is_the_path_of_the_url() {
        assertThat(new Database("jdbc:postgresql://db/locks").name()).isEqualTo("locks");
    }

    @Test
    void the_password_is_kept_apart_from_the_address_wherever_it_stands() {
        var last = new Database("jdbc:postgresql://db:5432/locks?user=me&password=pw");
        var first = new Database("jdbc:postgresql://db:5432/locks?password=pw&user=me");
        assertThat(last.address()).isEqualTo("postgres://db:5432/locks?user=me").isEqualTo(first.address());
        assertThat(last.password()).contains("pw").isEqualTo(first.password());
    }

    @Test
    void a_url_of_another_form_is_refused() {
        assertThatThrownBy(() -> new Database("jdbc:other://db/locks").name())
                .isInstanceOf(IllegalArgumentException.class);
    }
}
