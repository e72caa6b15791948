package dev.interlock.kubernetes;

import dev.interlock.testing.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.concurrent.atomic.AtomicInteger;

/** The real API server that the tests of this JVM share. */
final class Cluster {
    private static final AtomicInteger NAMESPACES = new AtomicInteger();
    private static KubernetesClient admin;

    private Cluster() {}

    static KubeApiServer server() {
        return KubeApiServer.shared();
    }

    static Config config(KubeApiServer server, String user) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(server.url())
                .withOauthToken(server.token(user))
                .withCaCertFile(server.certificate().toString())
                .withRequestRetryBackoffLimit(0)
                .build();
    }

    static KubernetesClient client() {
        return client(KubeApiServer.ADMIN);
    }

    static KubernetesClient client(String user) {
        return new KubernetesClientBuilder().withConfig(config(server(), user)).build();
    }

    static synchronized KubernetesClient admin() {
        if (admin == null) {
            admin = client();
        }
        return admin;
    }

    static String freshNamespace() {
        String name = "locks-" + NAMESPACES.incrementAndGet();
        admin().namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }
}
