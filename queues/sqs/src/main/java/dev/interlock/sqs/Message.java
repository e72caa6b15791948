package dev.interlock.sqs;

import dev.interlock.core.work.Outbox.WakeUp;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A wake-up as it came.
 *
 * @param execution whose it is; whatever the body says, if it is nobody's we know
 * @param age since it was first sent, by the queue's own clock
 */
record Message(String receipt, String execution, Duration age) {
    /** What SQS accepts as the name of a group and of a message; targets may be longer and in any script. */
    private static final Pattern FIT = Pattern.compile("[!-~]{1,128}");

    /** Only names the group: which messages SQS keeps in order. The database orders the target. */
    static String group(WakeUp wakeUp) {
        return fit(wakeUp.target());
    }

    /** The same for each sending of one wake-up and for no other; never the body, which two requests may share. */
    static String deduplication(WakeUp wakeUp) {
        return fit(wakeUp.execution() + "-" + wakeUp.number());
    }

    /** SQS refuses some characters, and the whole batch with them. */
    static String body(WakeUp wakeUp) {
        return URLEncoder.encode(wakeUp.execution(), StandardCharsets.UTF_8);
    }

    static String execution(String body) {
        try {
            return URLDecoder.decode(body, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return body;
        }
    }

    private static String fit(String text) {
        return FIT.matcher(text).matches() ? text : "sha256:" + HexFormat.of().formatHex(sha256(text));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
