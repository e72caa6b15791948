package dev.interlock.sqs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A real server that speaks SQS, with a class path of its own. */
final class ElasticMq {
    private static final Path JARS = Path.of("..", "elasticmq", "target", "lib");

    private static final class Shared {
        static final ElasticMq SERVER = start();
    }

    private final URI endpoint;

    private ElasticMq(URI endpoint) {
        this.endpoint = endpoint;
    }

    static ElasticMq shared() {
        return Shared.SERVER;
    }

    private static ElasticMq start() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (Stream<Path> jars = Files.list(JARS)) {
            @SuppressWarnings("resource") // as long as the server runs, which is as long as this JVM
            ClassLoader loader = new URLClassLoader(
                    jars.map(ElasticMq::url).toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
            thread.setContextClassLoader(loader);
            Object builder = loader.loadClass("org.elasticmq.rest.sqs.SQSRestServerBuilder")
                    .getMethod("withInterface", String.class)
                    .invoke(null, "127.0.0.1");
            Object server = call(call(builder, "withDynamicPort"), "start");
            Object binding = call(server, "waitUntilStarted");
            InetSocketAddress address = (InetSocketAddress) call(binding, "localAddress");
            return new ElasticMq(URI.create("http://127.0.0.1:" + address.getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Object call(Object target, String verb) throws ReflectiveOperationException {
        return target.getClass().getMethod(verb).invoke(target);
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    URI endpoint() {
        return endpoint;
    }

    SqsAddress address(String queue) {
        return SqsAddress.parse("sqs://" + queue + "?region=elasticmq&endpoint=" + endpoint);
    }

    SqsClient client() {
        return SqsClients.builder()
                .region(Region.of("elasticmq"))
                .endpointOverride(endpoint)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("me", "secret")))
                .build();
    }

    /** A pair of queues that no other test has. */
    Queues queues(String name) {
        SqsClient client = client();
        SqsQueues.create(client, address(name));
        return Queues.find(client, name);
    }
}
