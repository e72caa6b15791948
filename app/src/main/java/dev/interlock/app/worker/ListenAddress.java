package dev.interlock.app.worker;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address to listen on, as people write it: [HOST:]PORT, with an IPv6 address in brackets. */
final class ListenAddress {
    private static final Pattern FORM =
            Pattern.compile("(?:(?<host>[^:\\[\\]\\s]+|\\[[0-9a-fA-F:.%]+]):)?(?<port>[0-9]{1,5})");
    private static final String HERE = "127.0.0.1";
    private static final int HIGHEST = 65_535;

    private ListenAddress() {}

    static InetSocketAddress parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || Integer.parseInt(form.group("port")) > HIGHEST) {
            throw new IllegalArgumentException("'" + text
                    + "' is no address to listen on. Give [HOST:]PORT, such as 9464, 0.0.0.0:9464 or [::1]:9464.");
        }
        String host = form.group("host");
        return new InetSocketAddress(resolved(text, host == null ? HERE : host), Integer.parseInt(form.group("port")));
    }

    private static InetAddress resolved(String text, String host) {
        try {
            return InetAddress.getAllByName(host)[0];
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no address to listen on: nobody knows the host '" + host + "'.", e);
        }
    }
}
