package dev.interlock.kubernetes;

import dev.interlock.contract.once.OnceAcrossProcesses;
import dev.interlock.contract.once.StoreOpener;
import dev.interlock.core.LockStore;
import dev.interlock.core.Ports;
import dev.interlock.testing.kube.KubeApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.util.List;

class OnceTest extends OnceAcrossProcesses {
    private final KubeApiServer server = Cluster.server();
    private final String namespace = Cluster.freshNamespace();

    static final class Opener implements StoreOpener {
        @Override
        public LockStore open(List<String> address, Ports ports) {
            Config config = new ConfigBuilder(Config.empty())
                    .withMasterUrl(address.get(0))
                    .withOauthToken(address.get(1))
                    .withCaCertFile(address.get(2))
                    .build();
            String pod = "pod-" + ProcessHandle.current().pid();
            return KubernetesLockStore.open(config, address.get(3), pod, ports);
        }
    }

    @Override
    protected Class<? extends StoreOpener> opener() {
        return Opener.class;
    }

    @Override
    protected List<String> address() {
        return List.of(
                server.url(),
                server.token(KubeApiServer.ADMIN),
                server.certificate().toString(),
                namespace);
    }
}
