package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that travel together. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class CoalescerTest {
    private static final int LANES = 2;
    private static final int MOST = 8;

    private static final class Request extends Coalescer.Request {
        final int number;
        final AtomicInteger answers = new AtomicInteger();

        Request(int number) {
            this.number = number;
        }
    }

    @Test
    void every_request_is_answered_once_in_batches_within_the_limits() {
        AtomicInteger underWay = new AtomicInteger();
        ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
        Coalescer<Request> coalescer = new Coalescer<>(LANES, MOST, batch -> {
            if (underWay.incrementAndGet() > LANES) {
                faults.add("more batches under way than lanes");
            }
            if (batch.isEmpty() || batch.size() > MOST) {
                faults.add("a batch of " + batch.size());
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(200_000));
            batch.forEach(request -> request.answers.incrementAndGet());
            underWay.decrementAndGet();
        });

        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < 32; caller++) {
            callers.add(Session.beside(() -> {
                for (int number = 0; number < 200; number++) {
                    Request mine = new Request(number);
                    coalescer.submit(mine);
                    if (mine.answers.get() != 1) {
                        faults.add("answered " + mine.answers + " times");
                    }
                }
                return null;
            }));
        }
        callers.forEach(CompletableFuture::join);

        assertThat(faults).isEmpty();
    }

    @Test
    void what_gathers_while_a_batch_is_under_way_travels_together() {
        Gate gate = new Gate();
        Coalescer<Request> coalescer = new Coalescer<>(1, MOST, gate::pass);
        var first = submit(coalescer, 0);
        gate.awaitArrival();
        List<CompletableFuture<Void>> rest = new ArrayList<>();
        for (int number = 1; number <= 11; number++) {
            rest.add(submitParked(coalescer, number));
        }

        gate.open(3);

        first.join();
        rest.forEach(CompletableFuture::join);
        assertThat(gate.sizes).containsExactly(1, MOST, 3);
    }

    @Test
    void a_batch_leaves_half_of_those_who_come_by_elsewhere_too_behind() {
        assertThat(sizesOfTwenty(new RoundTrip())).startsWith(1, 10);
    }

    @Test
    void a_batch_takes_all_while_nobody_comes_by_elsewhere() {
        RoundTrip trip = new RoundTrip();
        trip.givesBack(false);

        assertThat(sizesOfTwenty(trip)).containsExactly(1, 19);
    }

    private static List<Integer> sizesOfTwenty(RoundTrip trip) {
        Gate gate = new Gate();
        Coalescer<Request> coalescer = new Coalescer<>(1, 64, trip, gate::pass);
        var first = submit(coalescer, 0);
        gate.awaitArrival();
        List<CompletableFuture<Void>> rest = new ArrayList<>();
        for (int number = 1; number <= 19; number++) {
            rest.add(submitParked(coalescer, number));
        }

        gate.open(4);

        first.join();
        rest.forEach(CompletableFuture::join);
        return gate.sizes;
    }

    @Test
    void what_nobody_waits_for_is_sent_by_one_task_for_all_that_gathers() {
        Gate gate = new Gate();
        Coalescer<Request> coalescer = new Coalescer<>(1, MOST, gate::pass);
        Tasks tasks = new Tasks();
        CountDownLatch answered = new CountDownLatch(6);

        coalescer.submitSoon(new Request(0), tasks, answered::countDown);
        gate.awaitArrival();
        for (int number = 1; number <= 5; number++) {
            coalescer.submitSoon(new Request(number), tasks, answered::countDown);
        }
        gate.open(2);

        await(answered);
        assertThat(gate.sizes).containsExactly(1, 5);
        assertThat(tasks.started).hasValue(1);
    }

    @Test
    void what_nobody_waits_for_goes_with_or_after_a_caller_who_has_the_lane() {
        Gate gate = new Gate();
        Coalescer<Request> coalescer = new Coalescer<>(1, MOST, gate::pass);
        Tasks tasks = new Tasks();
        CountDownLatch answered = new CountDownLatch(3);
        var caller = submit(coalescer, 0);
        gate.awaitArrival();

        for (int number = 1; number <= 3; number++) {
            coalescer.submitSoon(new Request(number), tasks, answered::countDown);
        }
        assertThat(tasks.started).as("there is no lane for it").hasValue(0);
        gate.open(2);

        caller.join();
        await(answered);
        assertThat(gate.sizes).containsExactly(1, 3);
        assertThat(tasks.started).hasValue(1);
    }

    @Test
    void a_failure_reaches_those_too_who_do_not_wait() {
        IllegalStateException failure = new IllegalStateException("the connection broke");
        Coalescer<Request> coalescer = new Coalescer<>(1, MOST, batch -> {
            throw failure;
        });
        Request request = new Request(0);
        CountDownLatch answered = new CountDownLatch(1);

        coalescer.submitSoon(request, new Tasks(), answered::countDown);

        await(answered);
        assertThat(request.failure()).isSameAs(failure);
    }

    /** The task has seen that nothing is left, and still counts as being at it: whoever comes now starts no other. */
    @Test
    void what_comes_when_the_task_is_about_to_end_is_not_left_behind() {
        CountDownLatch answered = new CountDownLatch(2);
        CompletableFuture<Runnable> comes = new CompletableFuture<>();
        Queue<Request> waiting = new ConcurrentLinkedQueue<>() {
            private final AtomicBoolean seen = new AtomicBoolean();

            @Override
            public boolean isEmpty() {
                boolean empty = super.isEmpty();
                if (empty && seen.compareAndSet(false, true)) {
                    comes.join().run();
                }
                return empty;
            }
        };
        Coalescer<Request> coalescer = new Coalescer<>(waiting, 1, MOST, null, batch -> {});
        Tasks tasks = new Tasks();
        comes.complete(() -> coalescer.submitSoon(new Request(1), tasks, answered::countDown));

        coalescer.submitSoon(new Request(0), tasks, answered::countDown);

        await(answered);
        assertThat(tasks.started).hasValue(1);
    }

    @Test
    void a_failure_reaches_the_batch_that_failed_and_no_other() {
        IllegalStateException failure = new IllegalStateException("the connection broke");
        Coalescer<Request> coalescer = new Coalescer<>(LANES, MOST, batch -> {
            batch.forEach(request -> request.answers.incrementAndGet());
            if (batch.stream().anyMatch(request -> request.number % 7 == 0)) {
                batch.forEach(request -> request.answers.addAndGet(100));
                throw failure;
            }
        });

        List<CompletableFuture<Void>> callers = new ArrayList<>();
        ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
        for (int caller = 0; caller < 16; caller++) {
            callers.add(Session.beside(() -> {
                for (int number = 0; number < 200; number++) {
                    Request mine = new Request(number);
                    Throwable thrown = catchThrowable(() -> coalescer.submit(mine));
                    if (!Objects.equals(thrown, mine.answers.get() == 101 ? failure : null)) {
                        faults.add(mine.answers + " but " + thrown);
                    }
                }
                return null;
            }));
        }
        callers.forEach(CompletableFuture::join);

        assertThat(faults).isEmpty();
    }

    @Test
    void an_error_is_no_answer_to_anybody_in_the_batch() {
        Gate gate = new Gate();
        Coalescer<Request> coalescer = new Coalescer<>(1, MOST, batch -> {
            gate.pass(batch);
            if (batch.size() > 1) {
                throw new NoClassDefFoundError("in the middle of it");
            }
        });
        var first = submit(coalescer, 0);
        gate.awaitArrival();
        var second = submitParked(coalescer, 1);
        var third = submitParked(coalescer, 2);

        gate.open(2);

        first.join();
        assertThat(catchThrowable(second::join)).isNotNull();
        assertThat(catchThrowable(third::join)).isNotNull();
        gate.open(1);
        submit(coalescer, 3).join();
    }

    @Test
    void a_caller_that_is_interrupted_while_it_waits_gets_its_answer_and_keeps_the_interrupt() throws Exception {
        Gate gate = new Gate();
        Coalescer<Request> coalescer = new Coalescer<>(1, MOST, gate::pass);
        var first = submit(coalescer, 0);
        gate.awaitArrival();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().daemon().start(() -> {
            coalescer.submit(new Request(1));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        awaitParked(caller);

        caller.interrupt();

        // It swallows the interrupt for now and parks again, instead of spinning until its turn.
        while (caller.isInterrupted()) {
            Thread.onSpinWait();
        }
        awaitParked(caller);
        assertThat(interrupted).isNotDone();
        gate.open(2);
        first.join();
        assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_caller_that_comes_interrupted_sends_its_batch_undisturbed_and_keeps_the_interrupt() {
        CompletableFuture<Boolean> duringSend = new CompletableFuture<>();
        Coalescer<Request> coalescer = new Coalescer<>(
                1, MOST, batch -> duringSend.complete(Thread.currentThread().isInterrupted()));

        var after = Session.beside(() -> {
            Thread.currentThread().interrupt();
            coalescer.submit(new Request(0));
            return Thread.currentThread().isInterrupted();
        });

        assertThat(after.join()).isTrue();
        assertThat(duringSend.join()).isFalse();
    }

    /** Lets batches through one by one, and notes their sizes. */
    private static final class Gate {
        final List<Integer> sizes = new ArrayList<>();
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final Semaphore passes = new Semaphore(0);

        void pass(List<Request> batch) {
            sizes.add(batch.size());
            arrived.countDown();
            passes.acquireUninterruptibly();
        }

        void awaitArrival() {
            await(arrived);
        }

        void open(int batches) {
            passes.release(batches);
        }
    }

    /** Starts threads, and counts them. */
    private static final class Tasks implements Executor {
        final AtomicInteger started = new AtomicInteger();

        @Override
        public void execute(Runnable work) {
            started.incrementAndGet();
            Thread.ofPlatform().daemon().start(work);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static CompletableFuture<Void> submit(Coalescer<Request> coalescer, int number) {
        return Session.beside(() -> {
            coalescer.submit(new Request(number));
            return null;
        });
    }

    /** Returns when the caller waits for a lane. */
    private static CompletableFuture<Void> submitParked(Coalescer<Request> coalescer, int number) {
        CompletableFuture<Thread> caller = new CompletableFuture<>();
        CompletableFuture<Void> answer = Session.beside(() -> {
            caller.complete(Thread.currentThread());
            coalescer.submit(new Request(number));
            return null;
        });
        awaitParked(caller.join());
        return answer;
    }

    private static void awaitParked(Thread thread) {
        while (!(LockSupport.getBlocker(thread) instanceof Coalescer) || thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }
}
