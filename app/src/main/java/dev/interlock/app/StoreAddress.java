package dev.interlock.app;

import dev.interlock.cli.UsageError;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The address of a PostgreSQL, as {@code --store} and {@code INTERLOCK_STORE} give it:
 * {@code postgres://[user[:password]@]host[:port][,host[:port]…]/database[?parameters]}, or as a JDBC URL.
 *
 * @param hosts one or more, each with its port if it has one
 */
record StoreAddress(
        String hosts,
        String database,
        @Nullable String user,
        @Nullable Secret password,
        Map<String, String> parameters) {
    private static final String KNOWN =
            "a store is postgres://[USER@]HOST[:PORT]/DATABASE (or postgresql://, or jdbc:postgresql://), or"
                    + " kubernetes://NAMESPACE[?context=NAME]; without any, the one on this machine is used";

    static StoreAddress parse(String text) {
        String rest = afterScheme(text);
        int query = rest.indexOf('?');
        Map<String, String> parameters = parameters(query < 0 ? "" : rest.substring(query + 1));
        String place = query < 0 ? rest : rest.substring(0, query);
        int slash = place.indexOf('/');
        String authority = slash < 0 ? place : place.substring(0, slash);
        String database = slash < 0 ? "" : decoded(place.substring(slash + 1));
        int at = authority.lastIndexOf('@');
        String credentials = at < 0 ? "" : authority.substring(0, at);
        int colon = credentials.indexOf(':');
        String user =
                given(decoded(colon < 0 ? credentials : credentials.substring(0, colon)), parameters.remove("user"));
        String password =
                given(colon < 0 ? "" : decoded(credentials.substring(colon + 1)), parameters.remove("password"));
        String hosts = authority.substring(at + 1);
        if (hosts.isEmpty() || database.isEmpty() || database.indexOf('/') >= 0) {
            throw new UsageError("The address of the store must name a host and a database: " + KNOWN + ".");
        }
        checkPorts(hosts);
        return new StoreAddress(hosts, database, user, password == null ? null : new Secret(password), parameters);
    }

    /** What may be shown to anybody. */
    String withoutPassword() {
        StringBuilder text = new StringBuilder("postgres://");
        if (user != null) {
            text.append(encoded(user)).append('@');
        }
        text.append(hosts).append('/').append(encoded(database));
        char separator = '?';
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            text.append(separator)
                    .append(encoded(parameter.getKey()))
                    .append('=')
                    .append(encoded(parameter.getValue()));
            separator = '&';
        }
        return text.toString();
    }

    private static String afterScheme(String text) {
        int colon = text.indexOf("://");
        String scheme = colon < 0 ? "" : text.substring(0, colon);
        return switch (scheme) {
            case "postgres", "postgresql", "jdbc:postgresql" -> text.substring(colon + 3);
            case "" -> throw new UsageError("That is no address of a store: " + KNOWN + ".");
            default -> throw new UsageError("Stores at '" + scheme + "://' are not known here: " + KNOWN + ".");
        };
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                throw new UsageError("The parameters of a store's address are NAME=VALUE, joined by &.");
            }
            parameters.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
        }
        return parameters;
    }

    private static void checkPorts(String hosts) {
        for (String host : hosts.split(",", -1)) {
            int colon = host.indexOf(':', host.indexOf(']') + 1);
            String port = colon < 0 ? "5432" : host.substring(colon + 1);
            String name = colon < 0 ? host : host.substring(0, colon);
            if (name.isEmpty() || !isPort(port)) {
                throw new UsageError("'" + host + "' is no host with a port from 1 to 65535: " + KNOWN + ".");
            }
        }
    }

    private static boolean isPort(String text) {
        try {
            int port = Integer.parseInt(text);
            return port >= 1 && port <= 65_535;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static @Nullable String given(String first, @Nullable String second) {
        return first.isEmpty() ? second : first;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new UsageError(
                    "The address of the store contains a % that is not followed by two hexadecimal digits.");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
