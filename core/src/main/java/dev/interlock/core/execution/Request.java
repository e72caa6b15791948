package dev.interlock.core.execution;

import dev.interlock.core.Text;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for, as it was asked: target, workflow and parameters may be malformed, which {@link #faults} tells
 * and admission refuses, so that a bad request too can be kept and shown.
 *
 * @param target kept in Unicode normal form C, as the name of its lock is
 * @param requester the person or service that asks
 * @param idempotencyKey names this request for whoever repeats it; null when it is not to be repeated
 * @param priority the greater goes first among targets; executions of one target keep their order
 * @param correlationId ties it to what caused it; null when nothing does
 */
public record Request(
        String workflow,
        String target,
        Map<String, String> parameters,
        String requester,
        OnBusy onBusy,
        int priority,
        @Nullable String idempotencyKey,
        @Nullable String correlationId) {
    private static final int MAX_LENGTH = 256;

    public Request {
        target = Normalizer.normalize(target, Normalizer.Form.NFC);
        parameters = Map.copyOf(parameters);
        check("The requester", requester);
        check("The idempotency key", idempotencyKey);
        check("The correlation id", correlationId);
    }

    /** A request that waits in line, with nothing special about it. */
    public static Request of(String workflow, String target, Map<String, String> parameters, String requester) {
        return new Request(workflow, target, parameters, requester, OnBusy.QUEUE, 0, null, null);
    }

    private static void check(String what, @Nullable String text) {
        if (text != null && text.isBlank()) {
            throw new IllegalArgumentException(what + " must not be empty.");
        }
        if (text != null) {
            Text.checkLine(what, text, MAX_LENGTH);
        }
    }

    public Request withOnBusy(OnBusy choice) {
        return new Request(workflow, target, parameters, requester, choice, priority, idempotencyKey, correlationId);
    }

    public Request withIdempotencyKey(String key) {
        return new Request(workflow, target, parameters, requester, onBusy, priority, key, correlationId);
    }

    public Request withPriority(int value) {
        return new Request(workflow, target, parameters, requester, onBusy, value, idempotencyKey, correlationId);
    }

    /** What keeps a text from being the name of a workflow, in one sentence; null when nothing does. */
    public static @Nullable String faultOfWorkflow(String name) {
        return RequestFaults.workflow(name);
    }

    /** Everything that is malformed, one sentence each; empty when nothing is. */
    public List<String> faults() {
        return RequestFaults.of(this);
    }

    /** The same for the same work: workflow, target and parameters, however they were asked for. */
    public String fingerprint() {
        MessageDigest digest = sha256();
        add(digest, workflow);
        add(digest, target);
        new TreeMap<>(parameters).forEach((name, value) -> {
            add(digest, name);
            add(digest, value);
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Whether the other is this request, sent again. Each sending may carry its own correlation id. */
    public boolean hasSameBody(Request other) {
        return fingerprint().equals(other.fingerprint())
                && requester.equals(other.requester)
                && onBusy == other.onBusy
                && priority == other.priority;
    }

    /** The length goes first, so that no two lists of words run together into the same bytes. */
    private static void add(MessageDigest digest, String word) {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java runtime has SHA-256", e);
        }
    }
}
