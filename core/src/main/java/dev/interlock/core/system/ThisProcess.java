package dev.interlock.core.system;

import dev.interlock.core.Identity;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Who this process is: unique for each start, so that nobody inherits a dead process's locks by accident. */
public final class ThisProcess {
    private ThisProcess() {}

    public static Identity identity() {
        byte[] random = new byte[6];
        new SecureRandom().nextBytes(random);
        String owner = host() + ":" + ProcessHandle.current().pid() + ":"
                + HexFormat.of().formatHex(random);
        return new Identity(owner, user());
    }

    public static String host() {
        String named = System.getenv("HOSTNAME");
        if (named != null && !named.isBlank()) {
            return named.replace(':', '-');
        }
        try {
            return InetAddress.getLocalHost().getHostName().replace(':', '-');
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }

    public static String user() {
        String name = System.getProperty("user.name", "");
        return name.isBlank() ? "unknown-user" : name;
    }
}
