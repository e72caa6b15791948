package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.cli.StoreState;
import dev.interlock.cli.UsageError;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockStore;
import dev.interlock.core.Page;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.system.ThisProcess;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Leases of one namespace: {@code kubernetes://namespace[?context=name]}. The library for it is large and is not
 * loaded before a store is opened.
 */
final class KubernetesStore implements ConfiguredStore {
    private static final String SCHEME = "kubernetes://";
    private static final String CONTEXT = "?context=";
    private static final String KNOWN = "a store on Kubernetes is kubernetes://NAMESPACE[?context=NAME]";

    private final String namespace;
    private final @Nullable String context;
    private final String identity;
    private final Ports ports;

    private KubernetesStore(String namespace, @Nullable String context, String identity, Ports ports) {
        this.namespace = namespace;
        this.context = context;
        this.identity = identity;
        this.ports = ports;
    }

    static boolean isMeantBy(String address) {
        return address.startsWith(SCHEME);
    }

    static KubernetesStore at(String address, Map<String, String> environment, Ports ports) {
        String rest = address.substring(SCHEME.length());
        int query = rest.indexOf('?');
        String namespace = query < 0 ? rest : rest.substring(0, query);
        String parameters = query < 0 ? "" : rest.substring(query);
        if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new UsageError("'" + namespace + "' is no name of a namespace: " + KNOWN + ".");
        }
        if (!parameters.isEmpty() && (!parameters.startsWith(CONTEXT) || parameters.equals(CONTEXT))) {
            throw new UsageError("The address of the store has a parameter that nobody knows: " + KNOWN + ".");
        }
        return new KubernetesStore(
                namespace,
                parameters.isEmpty() ? null : parameters.substring(CONTEXT.length()),
                identity(environment),
                ports);
    }

    /** In a pod its name, elsewhere the machine's; each command is told apart by the owner of its locks. */
    private static String identity(Map<String, String> environment) {
        String pod = environment.getOrDefault("POD_NAME", "");
        return pod.isBlank() ? ThisProcess.host() : pod;
    }

    @Override
    public LockStore open(Consumer<String> notices) {
        return KubernetesAccess.open(namespace, context, identity, ports);
    }

    @Override
    public String describe() {
        return SCHEME + namespace + (context == null ? "" : CONTEXT + context);
    }

    @Override
    public void examine(Consumer<Finding> findings) {
        findings.accept(Finding.ok("identity", identity));
        try (LockStore store = open(notice -> {})) {
            List<String> faults = store.list(LockFilter.ALL, Page.Request.FIRST).faults();
            findings.accept(Finding.ok("server", KubernetesAccess.version(context)));
            faults.forEach(fault -> findings.accept(new Finding(Finding.Level.WARN, "locks", fault, null)));
        } catch (StoreUnavailable e) {
            findings.accept(Finding.fail(
                    "server", String.valueOf(e.getMessage()), "Check the kubeconfig and the rights of this user."));
        }
    }

    @Override
    public StoreState state() {
        try (LockStore store = open(notice -> {})) {
            store.list(LockFilter.ALL, Page.Request.FIRST);
        }
        return new StoreState("running", describe(), KubernetesAccess.version(context), null);
    }

    @Override
    public String stop() {
        throw new UsageError("Only the store on this machine can be stopped with Interlock, not " + describe() + ".");
    }

    @Override
    public String recover(Consumer<String> notices) {
        throw new UsageError("The tokens of " + describe() + " are counted by the cluster's own etcd. When that is"
                + " restored from a backup, restore it with --bump-revision, and they go on above all that were ever"
                + " handed out.");
    }

    @Override
    public String upgrade(Consumer<String> notices) {
        return "There is nothing to upgrade in " + describe() + ": Leases need no schema.";
    }
}
