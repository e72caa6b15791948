package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.crypto.SecretKeyFactory;
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
    void two_providers_are_put_forward_and_none_is_lost() {
        Warmup.putForward("Ours", "SunJCE");

        assertThat(providers()).startsWith(before.getFirst(), "Ours", "SunJCE");
        assertThat(providers().stream().filter(one -> !one.equals("Ours")).distinct())
                .containsExactlyInAnyOrderElementsOf(Set.copyOf(before));
    }

    @Test
    void those_that_are_there_already_stay() {
        Warmup.putForward("Ours", "SunJCE");
        List<String> once = providers();

        Warmup.putForward("Ours", "SunJCE");

        assertThat(providers()).isEqualTo(once);
    }

    @Test
    void one_that_somebody_has_taken_out_stays_out() {
        Warmup.putForward("Ours", "Removed");

        List<String> expected = new ArrayList<>(before);
        expected.add(1, "Ours");
        assertThat(providers()).isEqualTo(expected);
    }

    @Test
    void in_a_new_process_passwords_are_ours_and_the_providers_in_between_are_not_made() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+init=info",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NewProcess.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).contains("by Interlock").doesNotContain("sun.security.ec.SunEC");
    }

    static final class NewProcess {
        public static void main(String[] arguments) throws GeneralSecurityException {
            Warmup.start();
            Warmup.awaitProviders();
            System.out.println("by "
                    + SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                            .getProvider()
                            .getName());
        }
    }

    private static List<String> providers() {
        List<String> found = new ArrayList<>();
        for (String next; (next = Security.getProperty("security.provider." + (found.size() + 1))) != null; ) {
            found.add(next);
        }
        return found;
    }
}
