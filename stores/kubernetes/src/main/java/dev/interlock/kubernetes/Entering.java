package dev.interlock.kubernetes;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Handover;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Ports;
import dev.interlock.core.Standing;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes a lock, or a place in its queue; and what the waiters of this process need afterwards. */
final class Entering implements WaitingRoom.Door {
    private final Lanes lanes;
    private final LeaseBook book;
    private final Leases leases;
    private final Releasing releasing;
    private final ServerClock clock;
    private final Ports ports;
    private final Function<Ask, String> identity;
    private final WaitingRoom room;

    Entering(
            Lanes lanes,
            LeaseBook book,
            Leases leases,
            Releasing releasing,
            ServerClock clock,
            Ports ports,
            Function<Ask, String> identity) {
        this.lanes = lanes;
        this.book = book;
        this.leases = leases;
        this.releasing = releasing;
        this.clock = clock;
        this.ports = ports;
        this.identity = identity;
        this.room = new WaitingRoom(ports, book, this);
    }

    /** A place, or what made one needless or impossible, and the lease that had run out before. */
    private record Entered(
            Grants.Entering how,
            LeaseTimes times,
            String uid,
            @Nullable UUID ranOut) {}

    Entry enter(Ask ask, Duration wait, int queueLimit) {
        return enter(ask, wait, queueLimit, new CompletableFuture<>());
    }

    private Entry enter(Ask ask, Duration wait, int queueLimit, CompletableFuture<Handover> handover) {
        leases.requireAlive(ask.lease());
        book.begin(ask.lease(), ask.name());
        try {
            Entered entered = lanes.change(ask.name(), record -> {
                UUID ranOut = record.expired();
                LeaseTimes times = book.times(ask.lease(), record.now());
                return new Entered(
                        Grants.enter(record, ask, identity.apply(ask), times, wait, queueLimit),
                        times,
                        record.uid(),
                        ranOut);
            });
            return switch (entered.how()) {
                case Grants.Entering.Answered(Entry answer) -> answered(ask, entered, answer);
                case Grants.Entering.Queued queued -> queued(ask, entered, queued, handover);
            };
        } finally {
            book.finish(ask.lease(), ask.name());
        }
    }

    private Entry answered(Ask ask, Entered entered, Entry answer) {
        if (answer instanceof Acquisition.Granted(Lock lock)) {
            book.holds(ask.lease(), ask.name(), lock.token(), entered.times());
            leases.revoke(entered.ranOut());
        }
        return answer;
    }

    private Entry queued(Ask ask, Entered entered, Grants.Entering.Queued queued, CompletableFuture<Handover> told) {
        Waiting waiting = queued.waiting();
        book.waits(ask.lease(), ask.name(), waiting.ticket(), entered.times());
        CompletableFuture<Handover> handover =
                room.join(new WaitingRoom.Wait(ask, waiting.ticket(), entered.uid(), waiting.until(), told));
        return new Entry.Queued(
                new KubernetesPlace(handover, () -> standing(ask), () -> releasing.withdraw(ask)),
                queued.current(),
                queued.position());
    }

    private Optional<Standing> standing(Ask ask) {
        LockRecord record = lanes.look(ask.name());
        return record.waiters().stream()
                .filter(waiter -> Tenure.same(waiter.holder(), ask.holder()))
                .findFirst()
                .map(waiter -> new Standing(
                        waiter.position(),
                        record.view(),
                        Estimate.of(record.newestFirst(), waiter.position()).orElse(null)));
    }

    void saw(LockRecord record) {
        room.saw(record);
    }

    void close() {
        room.close();
    }

    // The door of the waiting room.

    @Override
    public void look(LockName name) {
        UUID ranOut = lanes.change(name, record -> Optional.ofNullable(record.expired()))
                .orElse(null);
        leases.revoke(ranOut);
    }

    @Override
    public void rejoin(WaitingRoom.Wait wait) {
        Duration left = Duration.between(clock.now().latest(), wait.until());
        switch (enter(wait.ask(), left.isNegative() ? Duration.ZERO : left, Integer.MAX_VALUE, wait.handover())) {
            case Acquisition.Granted granted -> wait.handover().complete(granted);
            case Entry.Queued again -> {}
            case Entry.QueueFull full -> wait.handover().complete(new Handover.Dropped(Handover.Reason.CANCELLED));
        }
    }

    @Override
    public Api.Watch watch(LockName name, long afterVersion, Runnable ended) {
        Api.Watch watch =
                lanes.watch(name, afterVersion, lease -> beside(() -> changed(name, lease)), () -> beside(ended));
        return () -> beside(watch::stop);
    }

    /** Not in the client's own thread, which holds locks of the client while it delivers. */
    private void beside(Runnable work) {
        ports.tasks().start("interlock-watch", work);
    }

    private void changed(LockName name, @Nullable Lease lease) {
        LockRecord record = lanes.record(name, lease, ports.ticker().nanos());
        releasing.tellTaken(record);
        room.saw(record);
    }
}
