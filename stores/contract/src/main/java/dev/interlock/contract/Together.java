package dev.interlock.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Does something in many threads that all begin at the same moment. */
public final class Together {
    private static final int PATIENCE_SECONDS = 60;

    private Together() {}

    /** The answers in the order of the threads' numbers, from 0. */
    public static <T> List<T> run(int threads, IntFunction<T> work) {
        CountDownLatch ready = new CountDownLatch(threads);
        List<CompletableFuture<T>> answers = new ArrayList<>();
        for (int number = 0; number < threads; number++) {
            int own = number;
            CompletableFuture<T> answer = new CompletableFuture<>();
            answers.add(answer);
            Thread.ofPlatform().daemon().name("together-" + own).start(() -> {
                ready.countDown();
                try {
                    ready.await();
                    answer.complete(work.apply(own));
                } catch (Throwable e) {
                    answer.completeExceptionally(e);
                }
            });
        }
        return answers.stream()
                .map(answer ->
                        answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join())
                .toList();
    }
}
