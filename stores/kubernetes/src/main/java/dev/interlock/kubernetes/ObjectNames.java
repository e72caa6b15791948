package dev.interlock.kubernetes;

import dev.interlock.core.LockName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** How a lock's free text becomes the name of a Lease: a prefix and 160 bits of a hash. */
interface ObjectNames {
    String PREFIX = "interlock-";

    String of(LockName name);

    static String hashed(LockName name) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(name.value().getBytes(StandardCharsets.UTF_8));
            return PREFIX + HexFormat.of().formatHex(hash, 0, 20);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
