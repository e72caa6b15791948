package dev.interlock.core.system;

import dev.interlock.core.Identity;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Who this process is: unique for each start, so that nobody inherits a dead process's locks by accident. */
public final class ThisProcess {
    private ThisProcess() {}

    public static Identity identity() {
        String owner = host() + ":" + ProcessHandle.current().pid() + ":"
                + HexFormat.of().formatHex(random(6));
        return new Identity(owner, user());
    }

    public static String host() {
        String named = System.getenv("HOSTNAME");
        if (named != null && !named.isBlank()) {
            return named.replace(':', '-');
        }
        try (FileInputStream kernel = new FileInputStream("/proc/sys/kernel/hostname")) {
            String name = new String(kernel.readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!name.isEmpty()) {
                return name.replace(':', '-');
            }
        } catch (IOException e) {
            // Not Linux. Elsewhere a name server may be asked, which can take long.
        }
        try {
            return InetAddress.getLocalHost().getHostName().replace(':', '-');
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }

    /** Straight from the system where that is possible: Java's own way loads half of its cryptography. */
    private static byte[] random(int size) {
        byte[] random = new byte[size];
        try (FileInputStream system = new FileInputStream("/dev/urandom")) {
            if (system.readNBytes(random, 0, size) == size) {
                return random;
            }
        } catch (IOException e) {
            // Then Java's own way.
        }
        new SecureRandom().nextBytes(random);
        return random;
    }

    public static String user() {
        String name = System.getProperty("user.name", "");
        return name.isBlank() ? "unknown-user" : name;
    }
}
