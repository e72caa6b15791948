package dev.interlock.memory;

import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.LogStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Logs of the executions in a {@link Ledger}. */
public final class MemoryLogs implements LogStore {
    /** What is kept of the beginning; the rest of the bound is for the end. */
    private static final int FIRST_BYTES = 64 * 1024;

    private final Ledger ledger;
    private final Map<Key, Log> logs = new HashMap<>();

    private record Key(String execution, int attempt) {}

    /** Shared by all that share the ledger. */
    public MemoryLogs(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void append(String execution, int attempt, long token, long from, List<Printed> printed) {
        ledger.memory().step(now -> {
            ExecutionRecord record = ledger.record(execution);
            Claimed running = record == null ? null : record.claimed();
            if (running != null && running.token() == token) {
                Log log = logs.computeIfAbsent(new Key(execution, attempt), key -> new Log());
                log.add(from, printed, now);
            }
            return now;
        });
    }

    @Override
    public List<Piece> read(String execution, int attempt, long after, int most) {
        return ledger.memory()
                .step(now -> logs.getOrDefault(new Key(execution, attempt), new Log()).pieces.stream()
                        .filter(piece -> piece.number() > after)
                        .limit(most)
                        .toList());
    }

    /** The beginning and the end of what one attempt printed. */
    private static final class Log {
        private final List<Piece> pieces = new ArrayList<>();
        private long numbers;
        private long printedBytes;
        private int bytes;

        /** What is known already, from a call whose answer was lost, is passed over. */
        void add(long from, List<Printed> printed, Instant now) {
            long at = from;
            for (Printed piece : printed) {
                ByteBuffer rest = piece.bytes().duplicate();
                long known = Math.clamp(printedBytes - at, 0, rest.remaining());
                at += rest.remaining();
                rest.position(rest.position() + (int) known);
                if (rest.hasRemaining()) {
                    add(piece.stream(), rest, now);
                    printedBytes = at;
                }
            }
        }

        private void add(Stream stream, ByteBuffer printed, Instant now) {
            ByteBuffer copy = ByteBuffer.allocate(printed.remaining());
            copy.put(printed).flip();
            pieces.add(new Piece(++numbers, now, stream, copy.asReadOnlyBuffer()));
            bytes += copy.remaining();
            while (bytes > MAX_BYTES) {
                bytes -= pieces.remove(middle()).bytes().remaining();
            }
        }

        /** The oldest piece that does not belong to the beginning. */
        private int middle() {
            int at = 0;
            int before = 0;
            while (at < pieces.size() - 1 && before + pieces.get(at).bytes().remaining() <= FIRST_BYTES) {
                before += pieces.get(at).bytes().remaining();
                at++;
            }
            return at;
        }
    }
}
