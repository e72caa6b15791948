package dev.interlock.app;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.Security;
import java.text.Normalizer;
import java.text.NumberFormat;
import java.util.Calendar;
import java.util.logging.Logger;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Wakes up, beside the main thread, the parts of Java that the driver is going to need for its first connection: a fifth
 * of a command's time. Some of it opens files for good, such as the system's source of randomness.
 */
final class Warmup implements Runnable {
    private Warmup() {}

    static void start() {
        Thread.ofPlatform().daemon().name("interlock-warmup").start(new Warmup());
    }

    @Override
    public void run() {
        Logger.getLogger("org.postgresql");
        putForward("SunJCE");
        try {
            SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec("password".toCharArray(), new byte[16], 1, 256));
        } catch (GeneralSecurityException e) {
            // Whoever needs it will say so.
        }
        new SecureRandom().nextInt();
        Normalizer.normalize("password", Normalizer.Form.NFKC);
        NumberFormat.getIntegerInstance();
        Calendar.getInstance();
    }

    /**
     * To the second place. Who looks for something that it offers makes every provider before it, those of elliptic curves
     * and of TLS among them, which takes 15 ms.
     */
    private static void putForward(String provider) {
        String moved = provider;
        for (int place = 2; moved != null; place++) {
            String key = "security.provider." + place;
            String before = Security.getProperty(key);
            Security.setProperty(key, moved);
            moved = provider.equals(before) ? null : before;
        }
    }
}
