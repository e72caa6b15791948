package dev.interlock.dynamodb;

import dev.interlock.core.Ports;
import dev.interlock.core.system.SystemPorts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Lets time pass at once, for the server and for the processes that use it: the Date of every answer and the monotonic
 * clocks move. When the server's clock is set back, the monotonic clocks stay, as they do.
 */
final class TestTime implements ExecutionInterceptor {
    private static final DateTimeFormatter RFC_1123 = DateTimeFormatter.RFC_1123_DATE_TIME;

    private final AtomicLong server = new AtomicLong();
    private final AtomicLong processes = new AtomicLong();

    void pass(Duration elapsed) {
        server.addAndGet(elapsed.toNanos());
        if (!elapsed.isNegative()) {
            processes.addAndGet(elapsed.toNanos());
        }
    }

    /** A process whose monotonic clock stands on its own feet: nothing here depends on its wall clock. */
    Ports ports() {
        Ports real = SystemPorts.create();
        return new Ports(() -> real.ticker().nanos() + processes.get(), real.timers(), real.tasks(), real.entropy());
    }

    @Override
    public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        SdkHttpResponse answer = context.httpResponse();
        Instant date =
                Instant.from(RFC_1123.parse(answer.firstMatchingHeader("Date").orElseThrow()));
        String moved = RFC_1123.format(date.plusNanos(server.get()).atOffset(ZoneOffset.UTC));
        return answer.toBuilder().putHeader("Date", moved).build();
    }
}
