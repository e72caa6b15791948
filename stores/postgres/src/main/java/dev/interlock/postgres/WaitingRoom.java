package dev.interlock.postgres;

import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import dev.interlock.core.LockName;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this process. They are told by push; under that is a net: one statement for all of them looks where
 * they stand, and at the same time moves on locks whose holders have died. It is due when the present grant can end,
 * and at the latest after a second or two.
 */
final class WaitingRoom {
    private static final String LOOK = "SELECT * FROM interlock.look(?, ?, ?, ?)";
    private static final Duration WITH_PUSH = Duration.ofSeconds(1);
    private static final Duration WITHOUT_PUSH = Duration.ofMillis(100);

    private final Connections connections;
    private final String channel;
    private final Ports ports;
    private final BooleanSupplier pushed;
    private final Leases leases;
    private final Consumer<QueuedPlace> enterAgain;
    private final LongConsumer unbroken;

    private final Map<Long, QueuedPlace> places = new ConcurrentHashMap<>();
    private final Map<LockName, Integer> waitedFor = new ConcurrentHashMap<>();
    /** Hand-overs that were heard of before the answer that gave the ticket was read. */
    private final Map<Long, Handed> early = new ConcurrentHashMap<>();

    private final ReentrantLock guard = new ReentrantLock();
    private Ports.@Nullable Timer nextLook;
    private long nextLookAt;
    private boolean looking;
    private boolean closed;

    WaitingRoom(
            Connections connections,
            String channel,
            Ports ports,
            BooleanSupplier pushed,
            Leases leases,
            Consumer<QueuedPlace> enterAgain,
            LongConsumer unbroken) {
        this.connections = connections;
        this.channel = channel;
        this.ports = ports;
        this.pushed = pushed;
        this.leases = leases;
        this.enterAgain = enterAgain;
        this.unbroken = unbroken;
    }

    void seat(QueuedPlace place, Duration untilGrantCanEnd) {
        waitedFor.merge(place.ask().name(), 1, Integer::sum);
        places.put(place.ticket(), place);
        Handed handed = early.remove(place.ticket());
        if (handed != null) {
            handed(handed);
        } else {
            lookIn(shorter(net(), untilGrantCanEnd));
        }
    }

    boolean knows(long ticket) {
        return places.containsKey(ticket);
    }

    boolean waitsFor(LockName name) {
        return waitedFor.containsKey(name);
    }

    private @Nullable QueuedPlace take(long ticket) {
        QueuedPlace place = places.remove(ticket);
        if (place != null) {
            waitedFor.computeIfPresent(place.ask().name(), (name, count) -> count == 1 ? null : count - 1);
        }
        return place;
    }

    void unseat(QueuedPlace place) {
        take(place.ticket());
    }

    /** Whoever gives up its request gives up its place, which the net must not mistake for a lost one. */
    void unseat(Ask ask) {
        for (QueuedPlace place : places.values()) {
            Ask placed = place.ask();
            if (placed.name().equals(ask.name())
                    && placed.holder().equals(ask.holder())
                    && placed.lease().id().equals(ask.lease().id())) {
                unseat(place);
            }
        }
    }

    void handed(Handed handed) {
        handed(handed, 0);
    }

    private void handed(Handed handed, long seenUnbroken) {
        QueuedPlace place = take(handed.ticket());
        if (place == null) {
            early.put(handed.ticket(), handed);
            place = take(handed.ticket());
            if (place == null) {
                return;
            }
            early.remove(handed.ticket());
        }
        place.handed(handed, leases, seenUnbroken);
    }

    void dropped(long ticket, Handover.Reason reason) {
        QueuedPlace place = take(ticket);
        if (place != null) {
            place.arrived(new Handover.Dropped(reason));
        }
    }

    private Duration net() {
        Duration base = pushed.getAsBoolean() ? WITH_PUSH : WITHOUT_PUSH;
        return base.plus(ports.jittered(base));
    }

    private static Duration shorter(Duration one, Duration other) {
        return other.compareTo(one) < 0 ? other : one;
    }

    void lookIn(Duration delay) {
        guard.lock();
        try {
            long at = ports.ticker().nanos() + delay.toNanos();
            if (closed || looking || (nextLook != null && nextLookAt <= at)) {
                return;
            }
            if (nextLook != null) {
                nextLook.cancel();
            }
            nextLookAt = at;
            nextLook = ports.timers().after(delay, () -> ports.tasks().start("interlock-look", this::look));
        } finally {
            guard.unlock();
        }
    }

    private void look() {
        guard.lock();
        try {
            nextLook = null;
            if (looking) {
                return;
            }
            looking = true;
        } finally {
            guard.unlock();
        }
        Duration again = net();
        try {
            List<QueuedPlace> all = List.copyOf(places.values());
            if (!all.isEmpty()) {
                again = shorter(again, connections.with(connection -> look(connection, all)));
            }
        } catch (StoreUnavailable e) {
            // The net is cast again; until then the waiters keep waiting, which is never a failure.
        } finally {
            guard.lock();
            try {
                looking = false;
            } finally {
                guard.unlock();
            }
            if (places.isEmpty()) {
                early.clear();
            } else {
                lookIn(again);
            }
        }
    }

    private Duration look(Connection connection, List<QueuedPlace> all) throws SQLException {
        Duration again = WITH_PUSH.multipliedBy(2);
        List<QueuedPlace> gone = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LOOK)) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "text",
                            all.stream().map(p -> p.ask().name().value()).toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "bigint", all.stream().map(QueuedPlace::ticket).toArray()));
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "uuid", all.stream().map(p -> p.ask().lease().id()).toArray()));
            statement.setString(4, channel);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    unbroken.accept(row.getLong("unbroken"));
                    again = shorter(again, told(row, gone));
                }
            }
        }
        for (QueuedPlace place : gone) {
            ports.tasks().start("interlock-enter-again", () -> enterAgain.accept(place));
        }
        return again;
    }

    private Duration told(ResultSet row, List<QueuedPlace> gone) throws SQLException {
        long ticket = row.getLong("ticket");
        switch (row.getString("outcome")) {
            case "GRANTED" -> handed(Handed.from(row), row.getLong("unbroken"));
            case "WAITING" -> {
                long micros = row.getLong("again_micros");
                // A moment later than the end, so that it has passed when we look.
                return row.wasNull()
                        ? WITH_PUSH.multipliedBy(2)
                        : Duration.ofNanos(Math.max(0, micros) * 1000 + 2_000_000);
            }
            case "CANCELLED" -> dropped(ticket, Handover.Reason.CANCELLED);
            case "LEASE_ENDED" -> dropped(ticket, Handover.Reason.LEASE_ENDED);
            case "WAITED_TOO_LONG" -> dropped(ticket, Handover.Reason.WAITED_TOO_LONG);
            default -> {
                QueuedPlace place = places.get(ticket);
                if (place != null) {
                    gone.add(place);
                }
            }
        }
        return WITH_PUSH.multipliedBy(2);
    }

    void close() {
        guard.lock();
        try {
            closed = true;
            if (nextLook != null) {
                nextLook.cancel();
            }
        } finally {
            guard.unlock();
        }
        StoreUnavailable closed = new StoreUnavailable(StoreUnavailable.Kind.BROKEN, "This store has been closed.");
        places.values().forEach(place -> place.handover().completeExceptionally(closed));
        places.clear();
    }
}
