package dev.interlock.core.audit;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How events and seals are hashed. Nothing here may ever change: every seal ever made is checked by it. */
public final class Chain {
    private static final HexFormat HEX = HexFormat.of();

    /** Writes one value after the other. */
    private interface Encoding {
        void to(DataOutputStream out) throws IOException;
    }

    private Chain() {}

    /** The next seal after the previous one, or the first. */
    public static Seal next(
            @Nullable Seal previous, Seal.Era era, Position from, Position to, List<Event> events, Instant now) {
        List<Seal.Listed> listed = events.stream().map(Chain::listed).toList();
        Seal draft = new Seal(
                previous == null ? 1 : previous.number() + 1,
                era,
                from,
                to,
                events.size(),
                events.stream().map(Event::ended).max(Instant::compareTo).orElse(Instant.EPOCH),
                now,
                listed,
                listing(listed),
                contents(events),
                previous == null ? Seal.NOTHING : previous.hash(),
                "");
        return draft.with(hash(draft));
    }

    static Seal.Listed listed(Event event) {
        return new Seal.Listed(event.at(), ByteBuffer.wrap(digest(event)).getLong());
    }

    /** Of everything but the position, which a seal lists beside it. */
    static byte[] digest(Event event) {
        return sha256(encoded(event));
    }

    static byte[] encoded(Event event) {
        return bytes(out -> {
            text(out, event.target());
            out.writeLong(event.token());
            text(out, event.event());
            text(out, event.execution());
            out.writeInt(event.attempt());
            text(out, event.owner());
            text(out, event.user());
            instant(out, event.began());
            instant(out, event.ended());
            text(out, event.actor());
            text(out, event.detail());
            out.writeBoolean(event.clean());
            text(out, event.workflow());
            text(out, event.correlation());
            text(out, event.phase());
            text(out, event.state());
        });
    }

    static String listing(List<Seal.Listed> listed) {
        return HEX.formatHex(sha256(bytes(out -> {
            for (Seal.Listed one : listed) {
                position(out, one.at());
                out.writeLong(one.digest());
            }
        })));
    }

    static String contents(List<Event> events) {
        return HEX.formatHex(sha256(bytes(out -> {
            for (Event event : events) {
                position(out, event.at());
                out.write(digest(event));
            }
        })));
    }

    /** Over everything that the seal says, and through the hash before it over everything that went before. */
    static String hash(Seal seal) {
        return HEX.formatHex(sha256(bytes(out -> {
            text(out, seal.previous());
            out.writeLong(seal.number());
            out.writeInt(seal.era().number());
            out.writeLong(seal.era().system());
            out.writeInt(seal.era().epoch());
            out.writeLong(seal.era().firstSeq());
            position(out, seal.from());
            position(out, seal.to());
            out.writeInt(seal.count());
            instant(out, seal.newest());
            instant(out, seal.sealedAt());
            text(out, seal.listing());
            text(out, seal.contents());
        })));
    }

    private static void position(DataOutputStream out, Position at) throws IOException {
        out.writeLong(at.xid());
        out.writeLong(at.seq());
    }

    /** To the microsecond, which is all that a store keeps. */
    private static void instant(DataOutputStream out, Instant instant) throws IOException {
        out.writeLong(instant.getEpochSecond());
        out.writeInt(instant.getNano() / 1000);
    }

    /** With its length before it, so that no text can pretend to be two; nothing at all is length -1. */
    private static void text(DataOutputStream out, @Nullable String text) throws IOException {
        if (text == null) {
            out.writeInt(-1);
            return;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static byte[] bytes(Encoding encoding) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            encoding.to(out);
        } catch (IOException e) {
            throw new AssertionError("memory can always be written", e);
        }
        return bytes.toByteArray();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
