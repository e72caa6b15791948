package dev.interlock.bench.dynamodb;

import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Counts what goes over the wire, repetitions by the client included. */
final class Counter implements ExecutionInterceptor {
    private final AtomicLong requests = new AtomicLong();

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        requests.incrementAndGet();
    }

    long count() {
        return requests.get();
    }
}
