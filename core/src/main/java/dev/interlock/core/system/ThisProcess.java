package dev.interlock.core.system;

import dev.interlock.core.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        String host = named == null || named.isBlank() ? kernelName() : named;
        return host.strip().replace(':', '-');
    }

    /** Asked of the kernel where it tells, since the resolver may ask the network, and may wait for it. */
    private static String kernelName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname"));
        } catch (IOException notLinux) {
            return resolvedName();
        }
    }

    private static String resolvedName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }

    public static String user() {
        String name = System.getProperty("user.name", "");
        return name.isBlank() ? "unknown-user" : name;
    }
}
