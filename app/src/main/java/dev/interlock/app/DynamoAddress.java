package dev.interlock.app;

import dev.interlock.cli.UsageError;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a table, as {@code --store} and {@code INTERLOCK_STORE} give it:
 * {@code dynamodb://TABLE[?region=REGION][&endpoint=URL]}.
 *
 * @param region null for what AWS_REGION or the profile says
 * @param endpoint null for the service itself
 */
record DynamoAddress(
        String table, @Nullable String region, @Nullable URI endpoint) {
    private static final String SCHEME = "dynamodb://";
    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_.-]{3,255}");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");
    private static final String KNOWN = "a store on DynamoDB is dynamodb://TABLE[?region=REGION][&endpoint=URL]";

    static boolean isOne(String text) {
        return text.startsWith(SCHEME);
    }

    static DynamoAddress parse(String text) {
        String rest = text.substring(SCHEME.length());
        int query = rest.indexOf('?');
        String table = query < 0 ? rest : rest.substring(0, query);
        if (table.indexOf('@') >= 0) {
            throw new UsageError("The address of a table has no user and no password: AWS credentials come from the"
                    + " environment, a profile or a role.");
        }
        if (!TABLE.matcher(table).matches()) {
            throw new UsageError(
                    "'" + table + "' is no name of a table, which has 3 to 255 of A-Z a-z 0-9 _ . -: " + KNOWN + ".");
        }
        String region = null;
        URI endpoint = null;
        for (String pair : (query < 0 ? "" : rest.substring(query + 1)).split("&", -1)) {
            int equals = pair.indexOf('=');
            String value = decoded(pair.substring(equals + 1));
            switch (equals < 0 ? pair : pair.substring(0, equals)) {
                case "" -> {}
                case "region" -> region = region(value);
                case "endpoint" -> endpoint = endpoint(value);
                default ->
                    throw new UsageError("The address of the store has a parameter '"
                            + (equals < 0 ? pair : pair.substring(0, equals)) + "' that nobody knows: " + KNOWN + ".");
            }
        }
        return new DynamoAddress(table, region, endpoint);
    }

    private static String region(String value) {
        if (!REGION.matcher(value).matches()) {
            throw new UsageError("'" + value + "' is no AWS region, such as eu-central-1.");
        }
        return value;
    }

    private static URI endpoint(String value) {
        try {
            URI uri = new URI(value);
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Told below, as any other that is none.
        }
        throw new UsageError("The endpoint must be http://HOST[:PORT] or https://HOST[:PORT], not '" + value + "'.");
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new UsageError(
                    "The address of the store contains a % that is not followed by two hexadecimal digits.");
        }
    }

    @Override
    public String toString() {
        String query = (region == null ? "" : "&region=" + region) + (endpoint == null ? "" : "&endpoint=" + endpoint);
        return SCHEME + table + (query.isEmpty() ? "" : "?" + query.substring(1));
    }
}
