package dev.interlock.dynamodb;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Sees every request on its way to the real server, can lose answers after the server has acted, and can answer in its place. */
final class Traffic implements ExecutionInterceptor {
    private static final ExecutionAttribute<Boolean> REFUSED = new ExecutionAttribute<>("refused");

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger toLose = new AtomicInteger();
    private volatile Predicate<SdkRequest> losing = request -> false;
    private final AtomicInteger toRefuse = new AtomicInteger();
    private volatile String refusal = "";
    private volatile Class<? extends DynamoDbRequest> interrupted = DynamoDbRequest.class;
    private volatile @Nullable Runnable meanwhile;

    /** The kinds of requests since the last time this was asked, such as UpdateItem. */
    List<String> drain() {
        List<String> seen = List.copyOf(requests);
        requests.clear();
        return seen;
    }

    /** The next so many answers to such requests are lost on the way back; the client sends them again by itself. */
    void lose(int answers, Class<? extends DynamoDbRequest> to) {
        losing = to::isInstance;
        toLose.set(answers);
    }

    /** Happens once: between the decision to send such a request and its arrival. */
    void before(Class<? extends DynamoDbRequest> request, Runnable happens) {
        interrupted = request;
        meanwhile = happens;
    }

    /** Whether all that was asked for has happened: a race that was not forced proves nothing. */
    boolean hasHappened() {
        return meanwhile == null && toLose.get() == 0;
    }

    /** The next so many requests are answered with this error, as the service would. */
    void refuse(int requests, String code) {
        refusal = code;
        toRefuse.set(requests);
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        Runnable happens = meanwhile;
        if (happens != null && interrupted.isInstance(context.request())) {
            meanwhile = null;
            happens.run();
        }
        requests.add(context.request().getClass().getSimpleName().replace("Request", ""));
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        if (losing.test(context.request()) && toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw SdkClientException.create("The answer was lost.", new java.io.IOException("connection reset"));
        }
    }

    private boolean isRefused(ExecutionAttributes attributes) {
        return Boolean.TRUE.equals(attributes.getAttribute(REFUSED));
    }

    @Override
    public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        boolean refused = toRefuse.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        attributes.putAttribute(REFUSED, refused);
        return refused
                ? context.httpResponse().toBuilder()
                        .statusCode(400)
                        .removeHeader("x-amz-crc32")
                        .removeHeader("Content-Length")
                        .build()
                : context.httpResponse();
    }

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        String body = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + refusal + "\",\"message\":\"not now\"}";
        return isRefused(attributes)
                ? Optional.of(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)))
                : context.responseBody();
    }
}
