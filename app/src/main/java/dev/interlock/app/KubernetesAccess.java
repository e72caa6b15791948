package dev.interlock.app;

import dev.interlock.core.LockStore;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.kubernetes.KubernetesLockStore;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;

/** How a cluster is reached: by the kubeconfig, or from inside a pod by its service account. */
final class KubernetesAccess {
    private KubernetesAccess() {}

    static LockStore open(String namespace, @Nullable String context, String identity, Ports ports) {
        return KubernetesLockStore.open(config(context), namespace, identity, ports);
    }

    static String version(@Nullable String context) {
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config(context)).build()) {
            return client.getKubernetesVersion().getGitVersion();
        } catch (KubernetesClientException e) {
            return "unknown";
        }
    }

    private static Config config(@Nullable String context) {
        Config config;
        try {
            config = Config.autoConfigure(context);
        } catch (KubernetesClientException e) {
            throw unusable("The kubeconfig cannot be used: " + e.getMessage(), e);
        }
        boolean found = config.getCurrentContext() != null;
        if (context != null
                && (!found || !context.equals(config.getCurrentContext().getName()))) {
            throw unusable("The kubeconfig has no context '" + context + "'.", null);
        }
        boolean inPod = config.getOauthToken() != null || config.getAutoOAuthToken() != null;
        if (!found && !inPod) {
            throw unusable("There is neither a kubeconfig nor a pod's service account to reach a cluster with.", null);
        }
        return config;
    }

    private static StoreUnavailable unusable(String sentence, @Nullable Exception cause) {
        return cause == null
                ? new StoreUnavailable(StoreUnavailable.Kind.MISCONFIGURED, sentence)
                : new StoreUnavailable(StoreUnavailable.Kind.MISCONFIGURED, sentence, cause);
    }
}
