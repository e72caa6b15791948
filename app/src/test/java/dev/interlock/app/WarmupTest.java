package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WarmupTest {
    private final List<String> before = providers();

    @AfterEach
    void restore() {
        int places = providers().size();
        for (int i = 0; i < places; i++) {
            Security.setProperty("security.provider." + (i + 1), before.get(Math.min(i, before.size() - 1)));
        }
    }

    @Test
    void a_provider_is_put_forward_and_none_is_lost() {
        Warmup.putForward("SunJCE");

        assertThat(providers().get(1)).isEqualTo("SunJCE");
        assertThat(providers()).startsWith(before.getFirst());
        assertThat(Set.copyOf(providers())).isEqualTo(Set.copyOf(before));
    }

    @Test
    void one_that_is_there_already_stays() {
        Warmup.putForward("SunJCE");
        List<String> once = providers();

        Warmup.putForward("SunJCE");

        assertThat(providers()).isEqualTo(once);
    }

    @Test
    void one_that_somebody_has_taken_out_stays_out() {
        Warmup.putForward("Removed");

        assertThat(providers()).isEqualTo(before);
    }

    private static List<String> providers() {
        List<String> found = new ArrayList<>();
        for (String next; (next = Security.getProperty("security.provider." + (found.size() + 1))) != null; ) {
            found.add(next);
        }
        return found;
    }
}
