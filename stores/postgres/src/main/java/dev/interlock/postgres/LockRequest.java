package dev.interlock.postgres;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.Lock;
import dev.interlock.core.StoreUnavailable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A request for a lock, and its answer once the batch is back. */
final class LockRequest extends Coalescer.Request {
    final Ask ask;
    final @Nullable Duration wait;
    final int queueLimit;
    /** The place it had in the queue before a crash of the server lost it. */
    final @Nullable Long formerTicket;

    String outcome = "";

    @Nullable Lock lock;

    long ticket;
    int position;

    LockRequest(Ask ask, @Nullable Duration wait, int queueLimit, @Nullable Long formerTicket) {
        this.ask = ask;
        this.wait = wait;
        this.queueLimit = queueLimit;
        this.formerTicket = formerTicket;
    }

    LockRequest(Ask ask) {
        this(ask, null, 0, null);
    }

    Lock lock() {
        if (lock == null) {
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.BROKEN, "PostgreSQL did not answer the request for '" + ask.name() + "'.");
        }
        return lock;
    }

    Acquisition acquisition() {
        return switch (outcome) {
            case "GRANTED" -> new Acquisition.Granted(lock());
            case "HELD" -> new Acquisition.Held(lock());
            case "COOLING" -> {
                Instant until = lock().closedUntil();
                yield until == null ? new Acquisition.Held(lock()) : new Acquisition.Cooling(lock(), until);
            }
            case "LEASE_ENDED" -> throw new LeaseEnded(ask.lease());
            default -> throw new IllegalStateException("unexpected outcome " + outcome);
        };
    }

    void granted(Granted grant, Leases leases) {
        outcome = "GRANTED";
        lock = grant.lock(ask, leases);
    }

    void answered(String how, ResultSet row, Leases leases) throws SQLException {
        outcome = how;
        if (how.equals("LEASE_ENDED")) {
            leases.ended(ask.lease().id());
            return;
        }
        lock = Rows.lock(row);
        ticket = row.getLong("queue_ticket");
        position = row.getInt("queue_place");
    }
}
