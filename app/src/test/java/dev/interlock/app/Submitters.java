package dev.interlock.app;

import dev.interlock.core.Ports;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.WorkStores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process with many callers, each of whom submits one request; they begin together when a line comes in. */
final class Submitters {
    private Submitters() {}

    /**
     * Says what each was told.
     *
     * @param arguments how many, and the idempotency key, in which {@code #} stands for the number of the caller
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        int callers = Integer.parseInt(arguments[0]);
        Ports ports = SystemPorts.create();
        try (WorkStores stores = new ConfiguredStores(System.getenv(), ports).work(null, notice -> {});
                ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            List<Callable<Submission>> calls = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                Request request = Request.of("again", "one", Map.of("SIZE", "3"), "tester")
                        .withIdempotencyKey(arguments[1].replace(
                                "#", ProcessHandle.current().pid() + "-" + i));
                calls.add(() -> stores.executions().submit(List.of(request)).getFirst());
            }
            System.out.println("ready");
            System.in.read();
            for (Future<Submission> answer : threads.invokeAll(calls)) {
                Submission submission = answer.get();
                System.out.println(submission.getClass().getSimpleName() + " "
                        + submission.execution().id());
            }
        }
    }
}
