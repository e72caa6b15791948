package dev.interlock.core;

import java.time.Instant;

/** A request in the queue, for those who look at it. The ticket names it for {@link LockStore#dropWaiter}. */
public record Waiter(long ticket, int position, Holder holder, Instant since, Instant until) {}
