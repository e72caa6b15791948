package dev.interlock.sqs;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a queue: {@code sqs://NAME.fifo[?region=REGION][&endpoint=URL]}.
 *
 * @param region null for what AWS_REGION or the profile says
 * @param endpoint null for the service itself
 */
public record SqsAddress(
        String queue, @Nullable String region, @Nullable URI endpoint) {
    private static final String SCHEME = "sqs://";
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9_-]{1,75}\\.fifo");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");
    private static final String KNOWN = "a queue on SQS is sqs://NAME.fifo[?region=REGION][&endpoint=URL]";

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException with a sentence for whoever wrote it
     */
    public static SqsAddress parse(String text) {
        if (!text.startsWith(SCHEME)) {
            throw new IllegalArgumentException("The address of a queue begins with sqs://: " + KNOWN + ".");
        }
        String rest = text.substring(SCHEME.length());
        int query = rest.indexOf('?');
        String queue = checkedQueue(query < 0 ? rest : rest.substring(0, query));
        String region = null;
        URI endpoint = null;
        for (String pair : (query < 0 ? "" : rest.substring(query + 1)).split("&", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            String value = decoded(pair.substring(equals + 1));
            switch (key) {
                case "" -> {}
                case "region" -> region = checkedRegion(value);
                case "endpoint" -> endpoint = checkedEndpoint(value);
                default ->
                    throw new IllegalArgumentException(
                            "The address of the queue has a parameter '" + key + "' that nobody knows: " + KNOWN + ".");
            }
        }
        return new SqsAddress(queue, region, endpoint);
    }

    private static String checkedQueue(String queue) {
        if (queue.indexOf('@') >= 0) {
            throw new IllegalArgumentException("The address of a queue has no user and no password: AWS credentials"
                    + " come from the environment, a profile or a role.");
        }
        if (!QUEUE.matcher(queue).matches()) {
            throw new IllegalArgumentException("'" + queue
                    + "' is no name of a FIFO queue, which has 1 to 75 of A-Z a-z 0-9 _ - and then .fifo: " + KNOWN
                    + ".");
        }
        return queue;
    }

    private static String checkedRegion(String value) {
        if (!REGION.matcher(value).matches()) {
            throw new IllegalArgumentException("'" + value + "' is no AWS region, such as eu-central-1.");
        }
        return value;
    }

    private static URI checkedEndpoint(String value) {
        try {
            URI uri = new URI(value);
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Told below, as any other that is none.
        }
        throw new IllegalArgumentException(
                "The endpoint must be http://HOST[:PORT] or https://HOST[:PORT], not '" + value + "'.");
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The address of the queue contains a % that is not followed by two hexadecimal digits.", e);
        }
    }

    @Override
    public String toString() {
        String query = (region == null ? "" : "&region=" + region) + (endpoint == null ? "" : "&endpoint=" + endpoint);
        return SCHEME + queue + (query.isEmpty() ? "" : "?" + query.substring(1));
    }
}
