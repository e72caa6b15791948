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
    public void append(String execution, int attempt, long token, List<Printed> printed) {
        ledger.memory().step(now -> {
            ExecutionRecord record = ledger.record(execution);
            Claimed running = record == null ? null : record.claimed();
            if (running != null && running.token() == token) {
                Log log = logs.computeIfAbsent(new Key(execution, attempt), key -> new Log());
                printed.forEach(piece -> log.add(piece, now));
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
        private int bytes;

        void add(Printed printed, Instant now) {
            ByteBuffer copy = ByteBuffer.allocate(printed.bytes().remaining());
            copy.put(printed.bytes().duplicate()).flip();
            pieces.add(new Piece(++numbers, now, printed.stream(), copy.asReadOnlyBuffer()));
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
