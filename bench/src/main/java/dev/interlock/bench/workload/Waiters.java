package dev.interlock.bench.workload;

import dev.interlock.bench.contender.Contender.Client;
import dev.interlock.bench.contender.Contenders;
import dev.interlock.bench.contender.Names;
import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.workload.Window.Span;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** A process of waiters for one lock. It speaks with {@link WaiterProcess} line by line. */
final class Waiters {
    static final Duration HOLD = Duration.ofMillis(5);

    private Waiters() {}

    public static void main(String[] arguments) throws Exception {
        var contender = Contenders.waiting().stream()
                .filter(one -> one.name().equals(arguments[0]))
                .findAny()
                .orElseThrow();
        var first = Integer.parseInt(arguments[1]);
        var waiters = Integer.parseInt(arguments[2]);
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

        try (var client = contender.open(new Database(in.readLine()), waiters)) {
            System.out.println("ready");
            in.readLine();
            System.out.println(System.nanoTime());
            takeTurns(client, first, waiters, Span.parse(in.readLine()))
                    .forEach(turn -> System.out.println(turn.line()));
            System.out.println();
        }
    }

    private static List<Turn> takeTurns(Client client, int first, int waiters, Span span) throws Exception {
        var all = new ArrayList<Turn>();
        var callers = new ArrayList<Callable<List<Turn>>>();
        for (var i = first; i < first + waiters; i++) {
            var waiter = i;
            callers.add(() -> takeTurns(client, waiter, span));
        }
        try (var threads = Executors.newFixedThreadPool(waiters)) {
            for (var turns : threads.invokeAll(callers)) {
                all.addAll(turns.get());
            }
        }
        return all;
    }

    /** Asks again and again until the span is over; who waits then still gets its turn, so the queue drains. */
    private static List<Turn> takeTurns(Client client, int waiter, Span span)
            throws SQLException, InterruptedException {
        var turns = new ArrayList<Turn>();
        for (var asked = System.nanoTime(); !span.over(asked); asked = System.nanoTime()) {
            var held = client.acquire(Names.at(0));
            var acquired = System.nanoTime();
            Thread.sleep(HOLD);
            var releasing = System.nanoTime();
            held.release();
            turns.add(new Turn(waiter, asked, acquired, releasing));
        }
        return turns;
    }
}
