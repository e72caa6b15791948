package dev.interlock.app;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.Security;
import java.text.Normalizer;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.logging.Logger;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Wakes up, beside the main thread, the parts of Java that the driver is going to need for its first connection: a fifth
 * of a command's time. Some of it opens files for good, such as the system's source of randomness.
 */
final class Warmup implements Runnable {
    private static final int ENOUGH_TO_COMPILE = 64;

    private Warmup() {}

    static void start() {
        Thread.ofPlatform().daemon().name("interlock-warmup").start(new Warmup());
    }

    @Override
    public void run() {
        Logger.getLogger("org.postgresql");
        putForward("SunJCE");
        Security.insertProviderAt(new Pbkdf2.Offer(), 1);
        try {
            SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec("password".toCharArray(), new byte[16], ENOUGH_TO_COMPILE, 256));
            Mac.getInstance("HmacSHA256").init(new SecretKeySpec(new byte[32], "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            // Whoever needs it will say so.
        }
        new SecureRandom().nextInt();
        Normalizer.normalize("password", Normalizer.Form.NFKC);
        NumberFormat.getIntegerInstance();
        Calendar.getInstance();
    }

    /**
     * To the second place, if it is behind that. Who looks for something that it offers makes every provider before it,
     * those of elliptic curves and of TLS among them, which takes 15 ms. All move up from the end, because another thread
     * may be reading the list: it then finds one twice, which is allowed, and misses none.
     */
    static void putForward(String provider) {
        List<String> providers = new ArrayList<>();
        for (String next; (next = Security.getProperty(key(providers.size() + 1))) != null; ) {
            providers.add(next);
        }
        if (providers.indexOf(provider) < 2) {
            return;
        }
        for (int place = providers.size(); place >= 2; place--) {
            Security.setProperty(key(place + 1), providers.get(place - 1));
        }
        Security.setProperty(key(2), provider);
    }

    private static String key(int place) {
        return "security.provider." + place;
    }
}
