package dev.interlock.kubernetes;

import dev.interlock.contract.LockStoreContract;
import dev.interlock.core.LockStore;
import dev.interlock.testing.kube.KubeApiServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The contract, on a namespace of its own for each rule. */
class KubernetesLockStoreTest extends LockStoreContract {
    private final HandClock clock = new HandClock();
    private final List<HandPorts> processes = new ArrayList<>();
    private String namespace;

    @Override
    protected LockStore store() {
        namespace = Cluster.freshNamespace();
        return another();
    }

    @Override
    protected LockStore another() {
        HandPorts process = new HandPorts();
        processes.add(process);
        return new KubernetesLockStore(
                Wires.to(Cluster.config(Cluster.server(), KubeApiServer.ADMIN)),
                namespace,
                "pod-" + processes.size(),
                process.ports(),
                clock,
                ObjectNames::hashed);
    }

    @Override
    public void age(Duration elapsed) {
        clock.move(elapsed);
        if (elapsed.isPositive()) {
            processes.forEach(process -> process.skip(elapsed));
        }
    }
}
