package dev.interlock.testing.elasticmq;

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

/** A real server that speaks SQS, with a class path of its own; it runs as long as this JVM. */
public final class ElasticMqServer {
    private static final Path JARS = Path.of("queues", "elasticmq", "target", "lib");

    private static final class Shared {
        static final URI ENDPOINT = start();
    }

    private ElasticMqServer() {}

    /** Where it listens; started with the first question. */
    public static URI endpoint() {
        return Shared.ENDPOINT;
    }

    private static URI start() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (Stream<Path> jars = Files.list(jars())) {
            @SuppressWarnings("resource") // as long as the server runs, which is as long as this JVM
            ClassLoader loader = new URLClassLoader(
                    jars.map(ElasticMqServer::url).toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
            thread.setContextClassLoader(loader);
            Object builder = loader.loadClass("org.elasticmq.rest.sqs.SQSRestServerBuilder")
                    .getMethod("withInterface", String.class)
                    .invoke(null, "127.0.0.1");
            Object server = call(call(builder, "withDynamicPort"), "start");
            Object binding = call(server, "waitUntilStarted");
            InetSocketAddress address = (InetSocketAddress) call(binding, "localAddress");
            return URI.create("http://127.0.0.1:" + address.getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Whichever module's tests run: they begin in a directory of the checkout. */
    private static Path jars() {
        Path at = Path.of("").toAbsolutePath();
        while (at.getParent() != null && !Files.isDirectory(at.resolve(JARS))) {
            at = at.getParent();
        }
        return at.resolve(JARS);
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
}
