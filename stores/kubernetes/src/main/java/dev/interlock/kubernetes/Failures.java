package dev.interlock.kubernetes;

import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the API server's refusals mean to whoever asked for a lock. */
final class Failures {
    private Failures() {}

    static StoreUnavailable unreachable(String address, Throwable cause) {
        String what = switch (cause) {
            case HttpTimeoutException late -> "it does not answer in time";
            case ConnectException refused -> "there is no connection to it";
            default -> cause.getMessage() == null ? "the connection broke" : cause.getMessage();
        };
        return new StoreUnavailable(
                Kind.UNREACHABLE,
                "The Kubernetes API server at " + address + " cannot be reached: " + sentence(what)
                        + " Check that it runs and that the address is right.",
                cause);
    }

    static StoreUnavailable closed(@Nullable Throwable cause) {
        String sentence = "The store has been closed.";
        return cause == null
                ? new StoreUnavailable(Kind.UNREACHABLE, sentence)
                : new StoreUnavailable(Kind.UNREACHABLE, sentence, cause);
    }

    static StoreUnavailable contended(String object) {
        return new StoreUnavailable(
                Kind.BUSY,
                "Lease " + object + " is being changed by so many at once that this request did not get through."
                        + " Try again in a moment.");
    }

    static StoreUnavailable damaged(String object, @Nullable Throwable cause) {
        String sentence = "Somebody has edited what Interlock keeps in the annotations of Lease " + object
                + ", and it cannot be read any more. When nobody holds that lock, delete the Lease.";
        return cause == null
                ? new StoreUnavailable(Kind.MISCONFIGURED, sentence)
                : new StoreUnavailable(Kind.MISCONFIGURED, sentence, cause);
    }

    static String misnamed(String object) {
        return "Lease " + object + " does not say of which lock it is, or names one that is kept in another Lease:"
                + " somebody has edited or copied it. When nobody holds that lock, delete the Lease.";
    }

    static StoreUnavailable tooLong(String object) {
        return new StoreUnavailable(
                Kind.MISCONFIGURED,
                "Lease " + object
                        + " has no room for this: an object has 256 KiB for its annotations, and somebody else's"
                        + " take up too much of it. Remove what is not Interlock's from them.");
    }

    /** @param said the server's own words */
    static StoreUnavailable refused(int code, String said, String namespace) {
        Kind kind = kind(code, said);
        return new StoreUnavailable(
                kind,
                switch (kind) {
                    case FORBIDDEN ->
                        code == 401
                                ? "The Kubernetes API server does not know this user: " + sentence(said)
                                        + " Check the token or certificate in the kubeconfig."
                                : "This user may not keep locks in namespace '" + namespace + "': " + sentence(said)
                                        + " Bind the role in deploy/kubernetes/locks-rbac.yaml to it.";
                    case MISCONFIGURED ->
                        "Namespace '" + namespace + "' is not there: " + sentence(said) + " Create it first.";
                    case READ_ONLY ->
                        "Namespace '" + namespace + "' is being deleted, so nothing can be granted in it: "
                                + sentence(said);
                    case BUSY ->
                        "The Kubernetes API server is too busy to answer: " + sentence(said)
                                + " Try again in a moment.";
                    default ->
                        "The Kubernetes API server answered with an error that Interlock did not expect (" + code
                                + "): " + sentence(said);
                });
    }

    private static Kind kind(int code, String said) {
        return switch (code) {
            case 401 -> Kind.FORBIDDEN;
            case 403 -> said.contains("is being terminated") ? Kind.READ_ONLY : Kind.FORBIDDEN;
            case 404 -> Kind.MISCONFIGURED;
            case 408, 429, 500, 502, 503, 504 -> Kind.BUSY;
            default -> Kind.BROKEN;
        };
    }

    private static String sentence(String said) {
        String line = said.lines().findFirst().orElse("").strip();
        if (line.isEmpty()) {
            return "it did not say why.";
        }
        String small = line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1);
        return small.endsWith(".") ? small : small + ".";
    }
}
