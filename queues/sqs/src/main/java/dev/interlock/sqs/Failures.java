package dev.interlock.sqs;

import java.net.UnknownHostException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.QueueNameExistsException;

/** What a failure of the AWS SDK means to whoever runs a worker: what happened, and what to do next. */
final class Failures {
    private static final Set<String> STRANGER = Set.of(
            "UnrecognizedClientException",
            "InvalidSecurity",
            "InvalidSignatureException",
            "IncompleteSignature",
            "MissingAuthenticationToken",
            "MissingAuthenticationTokenException",
            "InvalidClientTokenId",
            "InvalidAccessKeyId",
            "ExpiredToken",
            "ExpiredTokenException",
            "SignatureDoesNotMatch");

    private Failures() {}

    static QueueUnavailable translate(SdkException e, String queue) {
        return new QueueUnavailable(
                switch (e) {
                    case QueueDoesNotExistException gone -> missing(queue);
                    case QueueNameExistsException other -> different(queue);
                    case AwsServiceException service -> service(service, code(service), queue);
                    default -> client(e);
                },
                e);
    }

    static String missing(String queue) {
        return "There is no queue '" + queue
                + "' in this region and account. Check the name and the region, or create it as docs/sqs.md shows.";
    }

    private static String different(String queue) {
        return "There is a queue '" + queue
                + "' already, with other settings than docs/sqs.md lists; it is left as it is. interlock doctor --queue"
                + " shows what differs.";
    }

    static String notFifo(String queue) {
        return "The queue '" + queue
                + "' is not a FIFO queue, so a wake-up could hide behind others. Create one as docs/sqs.md shows.";
    }

    static String noDeadLetters(String queue) {
        return "The queue '" + queue + "' has no dead-letter queue, so a message that nobody can delete would come back"
                + " for days. Give it a redrive policy as docs/sqs.md shows.";
    }

    private static String service(AwsServiceException e, String code, String queue) {
        if (code.startsWith("AccessDenied")) {
            return "These AWS credentials may not do this on the queue '" + queue + "': " + said(e)
                    + " Give them the rights that docs/sqs.md lists.";
        }
        if (STRANGER.contains(code)) {
            return "AWS does not accept these credentials: " + said(e)
                    + " Check the access key, the session token and the region.";
        }
        return e.isThrottlingException() || e.statusCode() >= 500
                ? "SQS is too busy to answer (" + code + ")."
                : "SQS answered with an error that Interlock did not expect: " + said(e);
    }

    private static String client(SdkException e) {
        if (says(e, "Unable to load credentials") || says(e, "Unable to load an Identity")) {
            return "There are no AWS credentials here. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                    + " or run where a role is attached.";
        }
        if (says(e, "Unable to load region")) {
            return "No AWS region is set. Name it in the queue's address or in AWS_REGION.";
        }
        Throwable root = root(e);
        if (root instanceof UnknownHostException) {
            return "SQS cannot be reached: its host name is not known (" + root.getMessage()
                    + "). Check the region, the endpoint and the network.";
        }
        return e instanceof SdkClientException
                ? "SQS cannot be reached: " + sentence(root.getMessage())
                        + " Check the region, the endpoint and the network."
                : "SQS answered with an error that Interlock did not expect: " + said(e);
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

    private static Throwable root(Throwable e) {
        Throwable at = e;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        return at;
    }
}
