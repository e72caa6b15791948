package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.spec.InvalidKeySpecException;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;

class Pbkdf2Test {
    private static final String NAME = "PBKDF2WithHmacSHA256";
    private static final byte[] SALT = {115, 97, 108, 116};

    @Test
    void it_derives_what_is_known_of_it() throws Exception {
        assertThat(HexFormat.of().formatHex(ours("password", SALT, 4096)))
                .isEqualTo("c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a");
        assertThat(HexFormat.of().formatHex(ours("password", SALT, 1)))
                .isEqualTo("120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b");
    }

    @Test
    void it_derives_the_same_as_the_jdk_whatever_the_password_the_salt_and_the_rounds() throws Exception {
        Random random = new Random(7);
        for (int length = 1; length <= 200; length++) {
            StringBuilder password = new StringBuilder();
            for (int i = 0; i < length; i++) {
                password.appendCodePoint(
                        random.nextBoolean() ? '!' + random.nextInt(90) : 0x100 + random.nextInt(0x400));
            }
            byte[] salt = new byte[1 + random.nextInt(100)];
            random.nextBytes(salt);
            int rounds = 1 + random.nextInt(40);

            assertThat(ours(password.toString(), salt, rounds)).isEqualTo(jdks(password.toString(), salt, rounds));
        }
    }

    @Test
    void what_it_does_not_offer_is_left_to_the_jdk() throws Exception {
        SecretKeyFactory ours = SecretKeyFactory.getInstance(NAME, new Pbkdf2.Offer());

        assertThatThrownBy(() -> ours.generateSecret(new PBEKeySpec("password".toCharArray(), new byte[16], 1, 512)))
                .isInstanceOf(InvalidKeySpecException.class);
    }

    private static byte[] ours(String password, byte[] salt, int rounds) throws Exception {
        return derived(SecretKeyFactory.getInstance(NAME, new Pbkdf2.Offer()), password, salt, rounds);
    }

    private static byte[] jdks(String password, byte[] salt, int rounds) throws Exception {
        return derived(SecretKeyFactory.getInstance(NAME, "SunJCE"), password, salt, rounds);
    }

    private static byte[] derived(SecretKeyFactory by, String password, byte[] salt, int rounds) throws Exception {
        return by.generateSecret(new PBEKeySpec(password.toCharArray(), salt, rounds, 256))
                .getEncoded();
    }
}
