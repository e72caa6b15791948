package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DefaultHomeTest {
    private static final Map<String, String> ALICE = Map.of("HOME", "/home/alice");

    @Test
    void linux_keeps_data_where_xdg_says() {
        assertThat(DefaultHome.of(ALICE, "Linux", "alice")).isEqualTo(Path.of("/home/alice/.local/share/interlock"));
        assertThat(DefaultHome.of(Map.of("HOME", "/home/alice", "XDG_DATA_HOME", "/data"), "Linux", "alice"))
                .isEqualTo(Path.of("/data/interlock"));
    }

    @Test
    void a_relative_xdg_directory_is_ignored() {
        assertThat(DefaultHome.of(Map.of("HOME", "/home/alice", "XDG_DATA_HOME", "data"), "Linux", "alice"))
                .isEqualTo(Path.of("/home/alice/.local/share/interlock"));
    }

    @Test
    void root_keeps_data_where_its_server_can_go() {
        assertThat(DefaultHome.of(Map.of("HOME", "/root"), "Linux", "root")).isEqualTo(Path.of("/var/lib/interlock"));
    }

    @Test
    void macos_keeps_data_in_application_support() {
        assertThat(DefaultHome.of(ALICE, "Mac OS X", "alice"))
                .isEqualTo(Path.of("/home/alice/Library/Application Support/Interlock"));
    }

    @Test
    void the_users_choice_wins() {
        Map<String, String> chosen = Map.of("HOME", "/root", "INTERLOCK_HOME", "/srv/locks", "XDG_DATA_HOME", "/data");
        assertThat(DefaultHome.of(chosen, "Linux", "root")).isEqualTo(Path.of("/srv/locks"));
    }

    @Test
    void without_a_home_the_user_is_told_what_to_set() {
        assertThatThrownBy(() -> DefaultHome.of(Map.of(), "Linux", "alice"))
                .isInstanceOf(EmbeddedUnavailable.class)
                .hasMessageContaining("set INTERLOCK_HOME");
    }
}
