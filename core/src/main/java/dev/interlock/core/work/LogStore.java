package dev.interlock.core.work;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/** What attempts print: kept per attempt, bounded, readable while it grows. */
public interface LogStore {
    /** The most that is kept of one attempt; of what is beyond it the beginning and the end stay. */
    int MAX_BYTES = 1024 * 1024;

    enum Stream {
        OUT,
        ERR
    }

    /** A piece of output as it came; pieces of one attempt are numbered from 1, and a gap shows what was left out. */
    record Piece(long number, Instant at, Stream stream, ByteBuffer bytes) {}

    /** What an attempt printed since the last call. */
    record Printed(Stream stream, ByteBuffer bytes) {}

    /**
     * Adds to the log of the attempt that has this token; dropped when it is not the one that runs. May be repeated: what
     * the store has already is not added again.
     *
     * @param from how many bytes the attempt had printed before these
     */
    void append(String execution, int attempt, long token, long from, List<Printed> printed);

    /** The pieces after that number, as far as they are there. */
    List<Piece> read(String execution, int attempt, long after, int most);
}
