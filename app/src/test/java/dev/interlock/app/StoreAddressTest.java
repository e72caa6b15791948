package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.cli.UsageError;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreAddressTest {
    @ParameterizedTest
    @CsvSource({
        "postgres://db/locks, db, locks, , ",
        "postgresql://db:5433/locks, db:5433, locks, , ",
        "jdbc:postgresql://db/locks?user=ann&password=s, db, locks, ann, s",
        "postgres://ann@db/locks, db, locks, ann, ",
        "postgres://ann:s%40%2F@db/locks, db, locks, ann, s@/",
        "postgres://ann:a:b@db/locks, db, locks, ann, a:b",
        "postgres://a%40b@[::1]:5432/lo%20cks, [::1]:5432, lo cks, a@b, ",
        "postgres://ann:a+b@db/locks, db, locks, ann, a+b",
    })
    void addresses_are_read(String text, String hosts, String database, String user, String password) {
        assertThat(StoreAddress.parse(text))
                .isEqualTo(new StoreAddress(
                        hosts, database, user, password == null ? null : new Secret(password), Map.of()));
    }

    @Test
    void several_hosts_and_parameters_are_kept() {
        assertThat(StoreAddress.parse("postgres://a:1,b:2/locks?sslmode=require&connect_timeout=3"))
                .isEqualTo(new StoreAddress(
                        "a:1,b:2", "locks", null, null, Map.of("sslmode", "require", "connect_timeout", "3")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "db",
                "dynamodb://table",
                "kubernetes://namespace",
                "postgres://db",
                "postgres://db/",
                "postgres:///locks",
                "postgres://db/a/b",
                "postgres://db:0/locks",
                "postgres://db:x/locks",
                "postgres://db:65536/locks",
                "postgres://a,/locks",
                "postgres://db/locks?sslmode",
                "postgres://d%zzb/lo%zcks",
            })
    void what_is_no_address_is_refused_with_one_sentence(String text) {
        assertThatThrownBy(() -> StoreAddress.parse(text))
                .isInstanceOf(UsageError.class)
                .message()
                .hasLineCount(1)
                .endsWith(".");
    }

    @Test
    void no_form_of_it_shows_the_password() {
        for (String text : new String[] {
            "postgres://ann:canary@db/locks?sslmode=require", "jdbc:postgresql://db/locks?password=canary"
        }) {
            StoreAddress address = StoreAddress.parse(text);
            assertThat(address.withoutPassword()).doesNotContain("canary");
            assertThat(address.toString()).doesNotContain("canary");
        }
        for (String text : new String[] {"postgres://ann:canary@", "x://ann:canary@db", "postgres://a:canary@db:0/x"}) {
            assertThatThrownBy(() -> StoreAddress.parse(text)).message().doesNotContain("canary");
        }
    }

    @Test
    void what_is_shown_can_be_read_again() {
        StoreAddress address =
                StoreAddress.parse("postgres://a%40b@[::1]:5432/lo%20cks?options=-c%20x%3D1&sslmode=require");
        assertThat(StoreAddress.parse(address.withoutPassword())).isEqualTo(address);
    }
}
