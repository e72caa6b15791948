package dev.interlock.app;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.Security;
import java.text.Normalizer;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Wakes up, beside the main thread, the parts of Java that the driver is going to need for its first connection: a fifth
 * of a command's time. Some of it opens files for good, such as the system's source of randomness.
 */
final class Warmup {
    private static final int ENOUGH_TO_COMPILE = 110;

    private static volatile CountDownLatch providers = new CountDownLatch(0);

    private Warmup() {}

    static void start() {
        providers = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("interlock-warmup").start(Warmup::run);
    }

    /** Returns when the list of security providers is as we want it: it is read once, by whoever needs one first. */
    static void awaitProviders() {
        try {
            providers.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the list is not in our order then, but whole
        }
    }

    private static void run() {
        try {
            putForward(Pbkdf2.Offer.class.getName(), "SunJCE");
        } finally {
            providers.countDown();
        }
        try {
            SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec("password".toCharArray(), new byte[16], ENOUGH_TO_COMPILE, 256));
            Mac.getInstance("HmacSHA256").init(new SecretKeySpec(new byte[32], "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            // Whoever needs it will say so.
        }
        new SecureRandom().nextInt();
        NumberFormat.getIntegerInstance();
        Calendar.getInstance();
        Normalizer.normalize("password", Normalizer.Form.NFKC);
    }

    /**
     * Puts two providers behind the first: ours, and the other one unless it is near already. Who looks for something that
     * they offer makes every provider before them, those of elliptic curves and of TLS among them, which takes 15 ms; and
     * {@link Security#insertProviderAt} makes all there are. The rest moves up from the end, because another thread may be
     * reading the list: it then finds one twice, which is allowed, and misses none.
     *
     * @param ours the name of a class
     */
    static void putForward(String ours, String other) {
        List<String> known = new ArrayList<>();
        for (String next; (next = Security.getProperty(key(known.size() + 1))) != null; ) {
            known.add(next);
        }
        List<String> forward = new ArrayList<>();
        if (!known.contains(ours)) {
            forward.add(ours);
        }
        if (known.indexOf(other) > 2) {
            forward.add(other);
        }
        for (int place = known.size(); place >= 2; place--) {
            Security.setProperty(key(place + forward.size()), known.get(place - 1));
        }
        for (int i = 0; i < forward.size(); i++) {
            Security.setProperty(key(2 + i), forward.get(i));
        }
    }

    private static String key(int place) {
        return "security.provider." + place;
    }
}
