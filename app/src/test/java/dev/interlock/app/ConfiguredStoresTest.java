package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.cli.UsageError;
import dev.interlock.core.system.SystemPorts;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfiguredStoresTest {
    private static ConfiguredStores with(Map<String, String> environment) {
        return new ConfiguredStores(environment, SystemPorts.create());
    }

    @Test
    void the_option_comes_before_the_environment_and_that_before_this_machine() {
        ConfiguredStores stores = with(Map.of("INTERLOCK_STORE", "postgres://a/x", "INTERLOCK_HOME", "/h"));
        assertThat(stores.describe("postgres://b/y")).isEqualTo("postgres://b/y");
        assertThat(stores.describe(null)).isEqualTo("postgres://a/x");
        assertThat(with(Map.of("INTERLOCK_STORE", "", "INTERLOCK_HOME", "/h")).describe(null))
                .isEqualTo("the store on this machine (/h)");
    }

    @Test
    void a_password_is_not_accepted_as_an_argument() {
        for (String address : new String[] {"postgres://ann:canary@db/x", "postgres://db/x?password=canary"}) {
            assertThatThrownBy(() -> with(Map.of()).describe(address))
                    .isInstanceOf(UsageError.class)
                    .hasMessage(
                            "--store must not contain a password, since everybody on this machine can read it in the"
                                    + " list of processes. Put it into INTERLOCK_STORE, PGPASSWORD or ~/.pgpass.");
        }
    }

    @Test
    void a_command_gets_the_address_without_the_password() {
        assertThat(with(Map.of("INTERLOCK_STORE", "postgres://ann:canary@db/x?sslmode=require"))
                        .concealed())
                .isEqualTo(Map.of("INTERLOCK_STORE", "postgres://ann@db/x?sslmode=require"));
        assertThat(with(Map.of()).concealed()).isEmpty();
    }

    @Test
    void a_parameter_that_nobody_knows_is_refused() {
        assertThatThrownBy(() -> with(Map.of()).state("postgres://db/x?ssl_mod=require"))
                .isInstanceOf(UsageError.class)
                .hasMessage("The address of the store has a parameter 'ssl_mod' that nobody knows.");
    }

    @Test
    void a_store_of_others_is_not_stopped() {
        assertThatThrownBy(() -> with(Map.of()).stop("postgres://db/x")).isInstanceOf(UsageError.class);
    }

    @Test
    void a_table_on_dynamodb_is_a_store() {
        ConfiguredStores stores = with(Map.of("INTERLOCK_STORE", "dynamodb://locks"));
        assertThat(stores.describe(null)).isEqualTo("dynamodb://locks");
        assertThat(stores.concealed()).isEmpty();
        assertThat(stores.describe("dynamodb://locks?endpoint=http%3A%2F%2Flocalhost:8000&region=eu-west-1"))
                .isEqualTo("dynamodb://locks?region=eu-west-1&endpoint=http://localhost:8000");
    }

    @Test
    void an_address_of_a_table_that_makes_no_sense_is_refused() {
        for (String address : new String[] {
            "dynamodb://",
            "dynamodb://a/b",
            "dynamodb://ab",
            "dynamodb://me:canary@locks",
            "dynamodb://locks?region=",
            "dynamodb://locks?region=EU",
            "dynamodb://locks?endpoint=localhost",
            "dynamodb://locks?color=blue",
            "dynamodb://locks?region=%zz"
        }) {
            assertThatThrownBy(() -> with(Map.of()).describe(address))
                    .as(address)
                    .isInstanceOf(UsageError.class)
                    .hasMessageNotContaining("canary");
        }
    }
}
