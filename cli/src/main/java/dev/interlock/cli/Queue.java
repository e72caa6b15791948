package dev.interlock.cli;

import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Table;
import dev.interlock.core.Waiter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The waiters of one lock, as {@code status} and {@code why} show them. */
final class Queue {
    private Queue() {}

    static List<Data> data(List<Waiter> waiters) {
        List<Data> queue = new ArrayList<>();
        for (Waiter waiter : waiters) {
            queue.add(Views.data(waiter));
        }
        return queue;
    }

    static Table table(List<Waiter> waiters, Instant seenAt) {
        Table table = Table.of("POSITION", "TICKET", "WAITER", "EXECUTION", "WAITING", "GIVES UP IN");
        for (Waiter waiter : waiters) {
            table.row(
                    waiter.position(),
                    waiter.ticket(),
                    Views.who(waiter.holder()),
                    Views.execution(waiter.holder()),
                    Views.span(waiter.since(), seenAt),
                    Views.span(seenAt, waiter.until()));
        }
        return table;
    }
}
