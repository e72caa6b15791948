package dev.interlock.bench.dynamodb;

import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import dev.interlock.bench.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What locks cost on DynamoDB, where every request is paid for. */
public final class RequestsPerVerb implements Workload {
    private static final String BASELINE = "Interlock";
    private static final int CYCLES = 100;
    private static final int HELD = 1000;
    private static final int WAITERS = 32;
    private static final int TURNS = 3;
    private static final Figure REQUESTS = Figure.absolute("requests", Unit.NUMBER);

    private final AtomicInteger tables = new AtomicInteger();

    @Override
    public String id() {
        return "dynamodb";
    }

    @Override
    public String title() {
        return "Requests to DynamoDB";
    }

    @Override
    public String method() {
        return """
                Requests as they leave the AWS SDK, counted in one process on a DynamoDB Local of the run's own. Without \
                contention: the mean of %d names, each acquired and released, after one that is not counted. A heartbeat \
                keeps %,d held locks alive once. With contention: %d threads want one lock, hold it for a moment and ask \
                again, %d times each; polls are counted.""".formatted(CYCLES, HELD, WAITERS, TURNS);
    }

    @Override
    public String situations() {
        return "verb";
    }

    @Override
    public String baseline() {
        return BASELINE;
    }

    @Override
    public List<Situation> list() {
        return List.of(
                situation("acquire", RequestsPerVerb::acquire),
                situation("release", RequestsPerVerb::release),
                situation("heartbeat of 1,000 locks", RequestsPerVerb::heartbeat),
                situation("acquire and release, 32 waiters", RequestsPerVerb::contended));
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    private interface Opening {
        Client open(DynamoDbClient dynamo, String table);
    }

    private interface Counting {
        double requests(Client client, Counter counter) throws Exception;
    }

    private Situation situation(String name, Counting counting) {
        return new Situation(
                name,
                List.of(
                        trial(BASELINE, "one lease for the process", InterlockClient::open, counting),
                        trial(
                                "dynamodb-lock-client",
                                "1.4.0, its defaults, lease 30 s",
                                AmazonClient::open,
                                counting)));
    }

    private Trial trial(String contender, String settings, Opening opening, Counting counting) {
        return new Trial(contender, settings, () -> {
            var counter = new Counter();
            try (var server = OwnDynamo.start();
                    var dynamo = server.client(counter);
                    var client = opening.open(dynamo, "bench-" + tables.incrementAndGet())) {
                client.acquire("warm-up").close();
                return new Reading(List.of(REQUESTS.is(counting.requests(client, counter))), Map.of());
            }
        });
    }

    private static double acquire(Client client, Counter counter) throws Exception {
        var before = counter.count();
        for (var number = 0; number < CYCLES; number++) {
            client.acquire("name-" + number);
        }
        return (counter.count() - before) / (double) CYCLES;
    }

    private static double release(Client client, Counter counter) throws Exception {
        var held = new ArrayList<AutoCloseable>();
        for (var number = 0; number < CYCLES; number++) {
            held.add(client.acquire("name-" + number));
        }
        var before = counter.count();
        for (var lock : held) {
            lock.close();
        }
        return (counter.count() - before) / (double) CYCLES;
    }

    private static double heartbeat(Client client, Counter counter) throws Exception {
        for (var number = 0; number < HELD; number++) {
            client.acquire("name-" + number);
        }
        var before = counter.count();
        client.heartbeat();
        return counter.count() - before;
    }

    private static double contended(Client client, Counter counter) throws Exception {
        var inside = new AtomicInteger();
        var before = counter.count();
        try (var threads = Executors.newFixedThreadPool(WAITERS)) {
            var all = new ArrayList<Future<?>>();
            for (var waiter = 0; waiter < WAITERS; waiter++) {
                all.add(threads.submit(() -> {
                    for (var turn = 0; turn < TURNS; turn++) {
                        try (var lock = client.acquire("contended")) {
                            if (inside.incrementAndGet() != 1) {
                                throw new IllegalStateException("two hold " + lock);
                            }
                            inside.decrementAndGet();
                        }
                    }
                    return null;
                }));
            }
            for (var each : all) {
                each.get();
            }
        }
        return (counter.count() - before) / (double) (WAITERS * TURNS);
    }
}
