package dev.interlock.contract.once;

import dev.interlock.core.HeldLock;
import dev.interlock.core.LockStore;
import dev.interlock.core.Locks;
import dev.interlock.core.Once;
import dev.interlock.core.Ports;
import dev.interlock.core.Settings;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.system.ThisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A replica of a service with several callers of {@code once}. It hears and says single words, so that the test that
 * started it decides what happens in which order:
 *
 * <pre>
 *   says ready            the store is open
 *   hears look            all callers begin
 *   says looked           all have looked and seen nothing
 *   hears go SECOND       all go on, and what they create carries that second
 *   says stopped          one has come to its point
 *   hears on              it goes on
 *   says created THING | existed THING | failed WHY, for each
 *   says done
 * </pre>
 */
public final class OnceProcess {
    /** What the test wants of it, in the order of its arguments; the rest is the store's address. */
    record Plan(Variant variant, Point point, int callers, Duration lease, Path things, String opener) {
        static final int WORDS = 6;

        List<String> words() {
            return List.of(
                    variant.name(), point.name(), String.valueOf(callers), lease.toString(), things.toString(), opener);
        }

        static Plan of(String... words) {
            return new Plan(
                    Variant.valueOf(words[0]),
                    Point.valueOf(words[1]),
                    Integer.parseInt(words[2]),
                    Duration.parse(words[3]),
                    Path.of(words[4]),
                    words[5]);
        }
    }

    private static final String KEY = "request/fingerprint-7";
    private static final BufferedReader EARS =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private final Plan plan;
    private final Things things;
    private final Locks locks;
    private final AtomicInteger looking;
    private final CompletableFuture<String> go = new CompletableFuture<>();
    private final CompletableFuture<Void> on = new CompletableFuture<>();

    private OnceProcess(Plan plan, Locks locks) {
        this.plan = plan;
        this.things = new Things(plan.things());
        this.locks = locks;
        this.looking = new AtomicInteger(plan.callers());
    }

    public static void main(String[] words) throws Exception {
        Plan plan = Plan.of(words);
        List<String> address = List.of(words).subList(Plan.WORDS, words.length);
        Ports ports = SystemPorts.create();
        var constructor =
                Class.forName(plan.opener()).asSubclass(StoreOpener.class).getDeclaredConstructor();
        constructor.setAccessible(true);
        Settings settings = Settings.DEFAULT.withLease(plan.lease());
        try (LockStore store = constructor.newInstance().open(address, ports);
                Locks locks = new Locks(store, ThisProcess.identity(), settings, ports)) {
            new OnceProcess(plan, locks).run();
        }
        say("done");
        // Clients leave threads behind that would keep the process for a while.
        System.exit(0);
    }

    private void run() throws IOException {
        say("ready");
        hear();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int caller = 0; caller < plan.callers(); caller++) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            answers.add(answer);
            Thread.ofVirtual().start(() -> answer.complete(call()));
        }
        Thread.ofPlatform().daemon().start(this::listen);
        answers.forEach(answer -> say(answer.join()));
    }

    private void listen() {
        try {
            go.complete(hear());
            hear();
            on.complete(null);
            hear();
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }

    private String call() {
        try {
            boolean[] looked = new boolean[1];
            Once<String> answer = plan.variant()
                    .once(
                            locks,
                            KEY,
                            () -> {
                                Optional<String> there = things.find();
                                if (!looked[0]) {
                                    looked[0] = true;
                                    looked();
                                } else {
                                    stop(Point.LOOKED_AGAIN);
                                }
                                return there;
                            },
                            this::create);
            return switch (answer) {
                case Once.Created<String>(String thing, long token) -> "created " + thing;
                case Once.Existed<String>(String thing) -> "existed " + thing;
            };
        } catch (Exception | Error e) {
            return "failed " + String.valueOf(e).replace('\n', ' ');
        }
    }

    /** Nobody goes on before everybody has seen that there is nothing. */
    private void looked() {
        if (looking.decrementAndGet() == 0) {
            say("looked");
        }
        go.join();
        stop(Point.LOOKED);
    }

    private String create(HeldLock lock) throws IOException {
        stop(Point.CREATING);
        lock.requireAtLeast(Duration.ofMillis(500));
        String thing = things.create(go.join());
        stop(Point.CREATED);
        return thing;
    }

    private void stop(Point point) {
        if (plan.point() == point) {
            say("stopped");
            on.join();
        }
    }

    private static synchronized void say(String word) {
        System.out.println(word);
        System.out.flush();
    }

    /** What follows the first word. Without the test that started it a process has nothing to do here. */
    private static String hear() throws IOException {
        @Nullable String line = EARS.readLine();
        if (line == null) {
            Runtime.getRuntime().halt(1);
            throw new IOException("nobody speaks any more");
        }
        return line.substring(line.indexOf(' ') + 1);
    }
}
