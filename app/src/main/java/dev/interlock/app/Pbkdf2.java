package dev.interlock.app;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * PBKDF2 with HMAC-SHA-256, of which a server that wants a password asks 4096 rounds for every connection. The JDK's is made
 * for long texts and for code that has been compiled with care: in a JVM that has just started it takes 60 ms. Here both
 * halves of the HMAC's key are digested once, the rounds hand words to each other instead of bytes, and the one loop is
 * compiled within a millisecond. Whatever else is asked for is left to the JDK's.
 */
public final class Pbkdf2 extends SecretKeyFactorySpi {
    private static final String NAME = "PBKDF2WithHmacSHA256";
    private static final int BLOCK = 64;
    private static final int WORDS = 8;
    private static final int KEY_BITS = 256;

    /** What SHA-256 begins with, and what it adds in each of its steps. */
    private static final int[] START = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
    };

    private static final int[] STEPS = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
    };

    /** Offers it to whoever asks the JDK for {@value #NAME}. Public, since the JDK makes it, by the name of its class. */
    public static final class Offer extends Provider {
        public Offer() {
            super("Interlock", "1", "Passwords of PostgreSQL in commands that start fast");
            putService(new Service(this, "SecretKeyFactory", NAME, Pbkdf2.class.getName(), null, null) {
                @Override
                public Object newInstance(@Nullable Object parameter) {
                    return new Pbkdf2();
                }
            });
        }
    }

    @Override
    protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
        if (!(spec instanceof PBEKeySpec asked) || asked.getKeyLength() != KEY_BITS || asked.getSalt() == null) {
            throw new InvalidKeySpecException("Only keys of " + KEY_BITS + " bits.");
        }
        byte[] password = new String(asked.getPassword()).getBytes(StandardCharsets.UTF_8);
        try {
            return new SecretKeySpec(derive(password, asked.getSalt(), asked.getIterationCount()), NAME);
        } catch (NoSuchAlgorithmException e) {
            throw new InvalidKeySpecException(e);
        }
    }

    private static byte[] derive(byte[] password, byte[] salt, int rounds) throws NoSuchAlgorithmException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        byte[] key = Arrays.copyOf(password.length > BLOCK ? sha256.digest(password) : password, BLOCK);
        byte[] inner = masked(key, 0x36);
        byte[] outer = masked(key, 0x5c);
        sha256.update(inner);
        sha256.update(salt);
        byte[] first = sha256.digest(new byte[] {0, 0, 0, 1});
        sha256.update(outer);
        int[] round = words(sha256.digest(first), WORDS);

        int[] schedule = new int[STEPS.length];
        int[] afterInner = new int[WORDS];
        int[] afterOuter = new int[WORDS];
        digest(START, words(inner, BLOCK / 4), schedule, afterInner);
        digest(START, words(outer, BLOCK / 4), schedule, afterOuter);

        int[] all = round.clone();
        int[] block = endOfHash();
        int[] half = endOfHash();
        System.arraycopy(round, 0, block, 0, WORDS);
        for (int i = 1; i < rounds; i++) {
            digest(afterInner, block, schedule, half);
            digest(afterOuter, half, schedule, block);
            for (int w = 0; w < WORDS; w++) {
                all[w] ^= block[w];
            }
        }
        return bytes(all);
    }

    /** A last block with room for a hash of 32 bytes, behind one block that was digested before: one bit, and the length. */
    private static int[] endOfHash() {
        int[] block = new int[BLOCK / 4];
        block[WORDS] = 1 << 31;
        block[BLOCK / 4 - 1] = (BLOCK + WORDS * 4) * 8;
        return block;
    }

    /** One block of SHA-256: the state that follows upon this one goes into the first words of {@code next}. */
    private static void digest(int[] state, int[] block, int[] schedule, int[] next) {
        int[] w = schedule;
        System.arraycopy(block, 0, w, 0, BLOCK / 4);
        for (int i = BLOCK / 4; i < w.length; i++) {
            int p = w[i - 15];
            int q = w[i - 2];
            w[i] = w[i - 16]
                    + w[i - 7]
                    + ((p >>> 7 | p << 25) ^ (p >>> 18 | p << 14) ^ (p >>> 3))
                    + ((q >>> 17 | q << 15) ^ (q >>> 19 | q << 13) ^ (q >>> 10));
        }
        int a = state[0];
        int b = state[1];
        int c = state[2];
        int d = state[3];
        int e = state[4];
        int f = state[5];
        int g = state[6];
        int h = state[7];
        for (int i = 0; i < w.length; i++) {
            int t = h
                    + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7))
                    + ((e & f) ^ (~e & g))
                    + STEPS[i]
                    + w[i];
            int u = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g;
            g = f;
            f = e;
            e = d + t;
            d = c;
            c = b;
            b = a;
            a = t + u;
        }
        next[0] = state[0] + a;
        next[1] = state[1] + b;
        next[2] = state[2] + c;
        next[3] = state[3] + d;
        next[4] = state[4] + e;
        next[5] = state[5] + f;
        next[6] = state[6] + g;
        next[7] = state[7] + h;
    }

    private static byte[] masked(byte[] key, int mask) {
        byte[] masked = new byte[key.length];
        for (int i = 0; i < key.length; i++) {
            masked[i] = (byte) (key[i] ^ mask);
        }
        return masked;
    }

    private static int[] words(byte[] bytes, int count) {
        int[] words = new int[count];
        for (int i = 0; i < 4 * count; i++) {
            words[i / 4] = (words[i / 4] << 8) | (bytes[i] & 0xff);
        }
        return words;
    }

    private static byte[] bytes(int[] words) {
        byte[] bytes = new byte[4 * words.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (words[i / 4] >>> (24 - 8 * (i % 4)));
        }
        return bytes;
    }

    @Override
    protected KeySpec engineGetKeySpec(SecretKey key, Class<?> kind) throws InvalidKeySpecException {
        throw new InvalidKeySpecException("Only makes keys.");
    }

    @Override
    protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
        throw new InvalidKeyException("Only makes keys.");
    }
}
