package dev.interlock.engine;

import dev.interlock.core.StoreUnavailable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** The line of one process to its stores: requests get lost, answers get lost or late, and every request is counted. */
final class Line {
    enum Fault {
        /** The store never sees the request. */
        REQUEST_LOST,
        /** The store does what was asked, and nobody learns of it. */
        ANSWER_LOST,
        /** Not an answer but a bug. */
        BUG
    }

    private final Map<String, Queue<Fault>> faults = new HashMap<>();
    private final Map<String, CompletableFuture<Void>> gates = new HashMap<>();
    private final Map<String, Integer> calls = new HashMap<>();
    private boolean cut;
    private volatile boolean deaf;

    <T> T to(Class<T> spi, T store) {
        Object proxy = Proxy.newProxyInstance(
                spi.getClassLoader(), new Class<?>[] {spi}, (self, verb, given) -> through(store, verb, given));
        return spi.cast(proxy);
    }

    synchronized void cut() {
        cut = true;
    }

    synchronized void heal() {
        cut = false;
    }

    synchronized void fail(String verb, Fault fault, int times) {
        for (int time = 0; time < times; time++) {
            faults.computeIfAbsent(verb, key -> new ArrayDeque<>()).add(fault);
        }
    }

    /** From now on no hint gets through, or all do again. */
    void deaf(boolean really) {
        deaf = really;
    }

    /** From now on the store does what such requests ask for, but their answers wait until the gate is opened. */
    synchronized CompletableFuture<Void> delay(String verb) {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        gates.put(verb, gate);
        return gate;
    }

    synchronized int calls(String verb) {
        return calls.getOrDefault(verb, 0);
    }

    synchronized int calls() {
        return calls.values().stream().mapToInt(Integer::intValue).sum();
    }

    private Object through(Object store, Method verb, Object[] given) throws Throwable {
        if (verb.getName().startsWith("on")) {
            Runnable hint = (Runnable) given[0];
            Runnable heard = () -> {
                if (!deaf) {
                    hint.run();
                }
            };
            return ask(store, verb, new Object[] {heard});
        }
        Fault fault = next(verb.getName());
        if (fault == Fault.REQUEST_LOST) {
            throw unreachable();
        }
        if (fault == Fault.BUG) {
            throw new IllegalStateException("a bug");
        }
        Object answer = ask(store, verb, given);
        gate(verb.getName()).join();
        if (fault == Fault.ANSWER_LOST) {
            throw unreachable();
        }
        return answer;
    }

    private synchronized Fault next(String verb) {
        calls.merge(verb, 1, Integer::sum);
        Queue<Fault> coming = faults.getOrDefault(verb, new ArrayDeque<>());
        Fault fault = coming.poll();
        return cut ? Fault.REQUEST_LOST : fault;
    }

    private synchronized CompletableFuture<Void> gate(String verb) {
        return gates.getOrDefault(verb, CompletableFuture.completedFuture(null));
    }

    private static Object ask(Object store, Method verb, Object[] given) throws Throwable {
        try {
            return verb.invoke(store, given);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static StoreUnavailable unreachable() {
        return new StoreUnavailable(StoreUnavailable.Kind.UNREACHABLE, "The line is bad.");
    }
}
