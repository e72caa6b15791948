package dev.interlock.dynamodb;

import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import java.net.UnknownHostException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** What a failure of the AWS SDK means to the caller of a store: what happened, and what to do next. */
final class Failures {
    private static final Set<String> BUSY = Set.of(
            "ProvisionedThroughputExceededException",
            "ProvisionedThroughputExceeded",
            "RequestLimitExceeded",
            "ThrottlingException",
            "ThrottlingError",
            "Throttling",
            "TransactionConflictException",
            "TransactionConflict",
            "TransactionInProgressException",
            "LimitExceededException",
            "InternalServerError",
            "InternalServerErrorException",
            "ServiceUnavailable",
            "ServiceUnavailableException");
    private static final Set<String> STRANGER = Set.of(
            "UnrecognizedClientException",
            "InvalidSignatureException",
            "IncompleteSignatureException",
            "MissingAuthenticationTokenException",
            "InvalidClientTokenId",
            "ExpiredTokenException",
            "ExpiredToken",
            "SignatureDoesNotMatch");
    private static final String CONFLICT = "TransactionConflict";

    private Failures() {}

    static StoreUnavailable translate(SdkException e, String table) {
        return switch (e) {
            case TransactionCanceledException cancelled -> cancelled(cancelled);
            case AwsServiceException service -> service(service, code(service), table);
            default -> client(e);
        };
    }

    /** Another write to the same item was under way; the same request may succeed in a moment. */
    static boolean isConflict(SdkException e) {
        return e instanceof TransactionCanceledException cancelled
                ? cancelled.cancellationReasons().stream().anyMatch(reason -> CONFLICT.equals(reason.code()))
                : e instanceof AwsServiceException service && code(service).startsWith(CONFLICT);
    }

    private static StoreUnavailable cancelled(TransactionCanceledException e) {
        for (CancellationReason reason : e.cancellationReasons()) {
            if (BUSY.contains(reason.code())) {
                return busy(reason.code(), e);
            }
        }
        return broken(e);
    }

    private static StoreUnavailable service(AwsServiceException e, String code, String table) {
        if (BUSY.contains(code) || e.isThrottlingException()) {
            return busy(code, e);
        }
        if (code.equals("ResourceNotFoundException")) {
            return new StoreUnavailable(Kind.MISCONFIGURED, missing(table), e);
        }
        if (code.startsWith("AccessDenied")) {
            return new StoreUnavailable(
                    Kind.FORBIDDEN,
                    "These AWS credentials may not do this on the table '" + table + "': " + said(e)
                            + " Give them the rights that docs/dynamodb.md lists.",
                    e);
        }
        if (STRANGER.contains(code)) {
            return new StoreUnavailable(
                    Kind.FORBIDDEN,
                    "AWS does not accept these credentials: " + said(e)
                            + " Check the access key, the session token and the region.",
                    e);
        }
        if (code.equals("ValidationException") && said(e).contains("schema")) {
            return new StoreUnavailable(Kind.MISCONFIGURED, wrongKeys(table), e);
        }
        return e.statusCode() >= 500 ? busy(code, e) : broken(e);
    }

    static StoreUnavailable damaged(String name, String record, RuntimeException e) {
        return new StoreUnavailable(
                Kind.MISCONFIGURED,
                "Somebody has changed the item " + Item.NAME + " = '" + name + "', " + Item.RECORD + " = '" + record
                        + "', and it cannot be read any more: " + sentence(e.getMessage())
                        + " Put it right, or back from a backup; deleted, it could let tokens return.",
                e);
    }

    static String missing(String table) {
        return "There is no table '" + table
                + "' in this region and account. Check the name and the region, or run: interlock dynamodb create-table";
    }

    static String wrongKeys(String table) {
        return "The table '" + table + "' was not made for Interlock: its key must be " + Item.NAME + " (HASH) and "
                + Item.RECORD + " (RANGE), both strings, with the index " + DynamoTable.INDEX
                + ". Use another table, or make one with: interlock dynamodb create-table";
    }

    private static StoreUnavailable client(SdkException e) {
        if (says(e, "Unable to load credentials") || says(e, "Unable to load an Identity")) {
            return new StoreUnavailable(
                    Kind.FORBIDDEN,
                    "There are no AWS credentials here. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                            + " or run where a role is attached.",
                    e);
        }
        if (says(e, "Unable to load region")) {
            return new StoreUnavailable(
                    Kind.MISCONFIGURED, "No AWS region is set. Name it in the store's address or in AWS_REGION.", e);
        }
        if (hasCause(e, UnknownHostException.class)) {
            return new StoreUnavailable(
                    Kind.UNREACHABLE,
                    "DynamoDB cannot be reached: its host name is not known (" + root(e).getMessage()
                            + "). Check the region, the endpoint and the network.",
                    e);
        }
        boolean isOfTheNetwork = e instanceof SdkClientException;
        return isOfTheNetwork
                ? new StoreUnavailable(
                        Kind.UNREACHABLE,
                        "DynamoDB cannot be reached: " + sentence(root(e).getMessage())
                                + " Check the region, the endpoint and the network.",
                        e)
                : broken(e);
    }

    private static StoreUnavailable busy(@Nullable String code, SdkException e) {
        return new StoreUnavailable(
                Kind.BUSY, "DynamoDB is too busy to answer (" + code + "). Try again in a moment.", e);
    }

    private static StoreUnavailable broken(SdkException e) {
        return new StoreUnavailable(
                Kind.BROKEN, "DynamoDB answered with an error that Interlock did not expect: " + said(e), e);
    }

    private static String code(AwsServiceException e) {
        String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
        return code == null ? "" : code;
    }

    private static String said(SdkException e) {
        return sentence(
                e instanceof AwsServiceException service && service.awsErrorDetails() != null
                        ? service.awsErrorDetails().errorMessage()
                        : e.getMessage());
    }

    private static String sentence(@Nullable String text) {
        String line = text == null
                ? "no reason given"
                : text.lines().findFirst().orElse("").strip();
        return line.endsWith(".") ? line : line + ".";
    }

    private static boolean says(SdkException e, String text) {
        return e.getMessage() != null && e.getMessage().contains(text);
    }

    private static boolean hasCause(Throwable e, Class<? extends Throwable> type) {
        for (Throwable at = e; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return true;
            }
        }
        return false;
    }

    private static Throwable root(Throwable e) {
        Throwable at = e;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        return at;
    }
}
