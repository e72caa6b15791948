package dev.interlock.core;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Measures for an observer and tells it. Without one nothing is measured and nothing is made. */
final class Observation {
    private final @Nullable Observer observer;
    private final Ports.Ticker ticker;

    Observation(@Nullable Observer observer, Ports.Ticker ticker) {
        this.observer = observer;
        this.ticker = ticker;
    }

    interface Request<T> {
        T answer() throws InterruptedException;
    }

    /** @param refusal of an answer that is one, else null */
    <T> T attempt(List<LockName> names, Request<T> request, Function<T, @Nullable Refusal> refusal)
            throws InterruptedException {
        return observer == null ? request.answer() : observed(names, request, refusal);
    }

    private <T> T observed(List<LockName> names, Request<T> request, Function<T, @Nullable Refusal> refusal)
            throws InterruptedException {
        long began = ticker.nanos();
        tell(names, LockEvent.Attempted::new);
        try {
            T answer = request.answer();
            Duration took = since(began);
            Refusal refused = refusal.apply(answer);
            tell(
                    names,
                    name -> refused == null
                            ? new LockEvent.Granted(name, took)
                            : new LockEvent.Refused(name, refused, took));
            return answer;
        } catch (InterruptedException e) {
            Duration took = since(began);
            tell(names, name -> new LockEvent.Abandoned(name, took));
            throw e;
        } catch (RuntimeException | Error e) {
            Duration took = since(began);
            tell(names, name -> new LockEvent.Unanswered(name, took));
            throw e;
        }
    }

    void released(LockName name, long heldSince) {
        if (observer != null) {
            tell(new LockEvent.Released(name, since(heldSince)));
        }
    }

    void lost(LockName name, Loss why, long heldSince) {
        if (why == Loss.Cause.ALREADY_RELEASED) {
            released(name, heldSince);
        } else if (observer != null) {
            tell(new LockEvent.Lost(name, why, since(heldSince)));
        }
    }

    void unrenewed() {
        if (observer != null) {
            tell(new LockEvent.Unrenewed());
        }
    }

    private Duration since(long began) {
        return Duration.ofNanos(ticker.nanos() - began);
    }

    private void tell(List<LockName> names, Function<LockName, LockEvent> event) {
        names.forEach(name -> tell(event.apply(name)));
    }

    private void tell(LockEvent event) {
        try {
            if (observer != null) {
                observer.saw(event);
            }
        } catch (RuntimeException e) {
            // Whoever is served here has, or has lost, its lock in any case.
        }
    }
}
