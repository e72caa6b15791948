package dev.interlock.testing.kube;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A real kube-apiserver with its etcd, on loopback only, that dies with this JVM. Nothing is allowed to anybody but
 * {@link #ADMIN} until a role says so.
 *
 * <p>Where the binaries cannot be had, tests that need them are aborted with a loud word; under {@code CI} they fail.
 */
public final class KubeApiServer implements AutoCloseable {
    /** May do everything. */
    public static final String ADMIN = "admin";

    private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(20);

    /** Counted in glances, not by a clock: on a busy machine all of this may stand still for minutes. */
    private static final int PATIENCE = 3000;

    private static @Nullable KubeApiServer shared;

    private final Path binaries;
    private final Path directory;
    private final Map<String, String> tokens;
    private final int etcdPort = freePort();
    private final int peerPort = freePort();
    private final int port = freePort();
    private @Nullable GuardedProcess etcd;
    private @Nullable GuardedProcess server;

    private KubeApiServer(Path binaries, Path directory, Map<String, String> tokens) {
        this.binaries = binaries;
        this.directory = directory;
        this.tokens = tokens;
    }

    /** One for all tests of this JVM that leave it running. It knows {@link #ADMIN}, {@code locks} and {@code nobody}. */
    public static synchronized KubeApiServer shared() {
        if (shared == null) {
            shared = start("locks", "nobody");
        }
        return shared;
    }

    /** A fresh one, which knows these users besides {@link #ADMIN}. */
    public static KubeApiServer start(String... users) {
        Path found = binaries(System.getenv());
        try {
            Path directory = Files.createTempDirectory("interlock-kube-");
            Map<String, String> tokens = new LinkedHashMap<>();
            Stream.concat(Stream.of(ADMIN), Stream.of(users))
                    .forEach(user -> tokens.put(user, UUID.randomUUID().toString()));
            KubeApiServer started = new KubeApiServer(found, directory, tokens);
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            started.writeCredentials();
            started.startEtcd();
            started.startServer();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without them a test is no test: under CI it fails, and elsewhere nobody can overlook that it did not run. */
    static Path binaries(Map<String, String> environment) {
        try {
            return new Binaries(environment).find();
        } catch (BinariesMissing e) {
            String sentence = "There is no kube-apiserver and etcd to test against: " + e.getMessage() + ".";
            if (!environment.getOrDefault("CI", "").isEmpty()) {
                throw new AssertionError(sentence);
            }
            System.err.println("*".repeat(100) + "\nNOT TESTED: " + sentence + "\n" + "*".repeat(100));
            return Assumptions.abort(sentence);
        }
    }

    private void writeCredentials() throws IOException {
        StringBuilder lines = new StringBuilder();
        tokens.forEach((user, token) -> lines.append(token + "," + user + "," + user)
                .append(user.equals(ADMIN) ? ",\"system:masters\"\n" : "\n"));
        Files.writeString(directory.resolve("tokens.csv"), lines);
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            pem("sa.key", "PRIVATE KEY", pair.getPrivate().getEncoded());
            pem("sa.pub", "PUBLIC KEY", pair.getPublic().getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has RSA", e);
        }
    }

    private void pem(String file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                directory.resolve(file), "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    private void startEtcd() throws IOException {
        String clients = "http://127.0.0.1:" + etcdPort;
        String peers = "http://127.0.0.1:" + peerPort;
        etcd = GuardedProcess.start(
                List.of(
                        binaries.resolve("etcd").toString(),
                        "--name=test",
                        "--data-dir=" + directory.resolve("etcd"),
                        "--unsafe-no-fsync",
                        "--log-level=warn",
                        "--listen-client-urls=" + clients,
                        "--advertise-client-urls=" + clients,
                        "--listen-peer-urls=" + peers,
                        "--initial-advertise-peer-urls=" + peers,
                        "--initial-cluster=test=" + peers),
                directory.resolve("etcd.log"));
    }

    private void startServer() throws IOException {
        server = GuardedProcess.start(
                List.of(
                        binaries.resolve("kube-apiserver").toString(),
                        "--etcd-servers=http://127.0.0.1:" + etcdPort,
                        "--bind-address=127.0.0.1",
                        "--advertise-address=127.0.0.1",
                        "--secure-port=" + port,
                        "--endpoint-reconciler-type=none",
                        "--cert-dir=" + directory.resolve("certificates"),
                        "--token-auth-file=" + directory.resolve("tokens.csv"),
                        "--authorization-mode=RBAC",
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-signing-key-file=" + directory.resolve("sa.key"),
                        "--service-account-key-file=" + directory.resolve("sa.pub"),
                        "--service-cluster-ip-range=10.0.0.0/24"),
                directory.resolve("kube-apiserver.log"));
        awaitReady();
    }

    private void awaitReady() {
        for (int glance = 0; !isReady(); glance++) {
            boolean running = Objects.requireNonNull(server).isAlive()
                    && Objects.requireNonNull(etcd).isAlive();
            if (!running || glance > PATIENCE) {
                throw new IllegalStateException("The API server does not get ready; see the logs in " + directory);
            }
            LockSupport.parkNanos(GLANCE);
        }
    }

    private boolean isReady() {
        try {
            HttpsURLConnection asked =
                    (HttpsURLConnection) URI.create(url() + "/readyz").toURL().openConnection();
            asked.setSSLSocketFactory(trusting().getSocketFactory());
            asked.setRequestProperty("Authorization", "Bearer " + token(ADMIN));
            asked.setConnectTimeout(1000);
            asked.setReadTimeout(5000);
            return asked.getResponseCode() == 200;
        } catch (IOException | GeneralSecurityException e) {
            return false;
        }
    }

    private SSLContext trusting() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        int number = 0;
        try (var in = Files.newInputStream(certificate())) {
            for (var one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("server-" + number++, one);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    public String url() {
        return "https://127.0.0.1:" + port;
    }

    public String token(String user) {
        return Objects.requireNonNull(tokens.get(user), () -> "no user " + user);
    }

    /** The certificate by which its clients know it. */
    public Path certificate() {
        return directory.resolve("certificates/apiserver.crt");
    }

    /** What kubectl and every client library read: this server, as that user, in that namespace. */
    public Path kubeconfig(String user, String namespace) {
        String text = """
                apiVersion: v1
                kind: Config
                current-context: test
                clusters:
                - name: test
                  cluster:
                    server: %s
                    certificate-authority: %s
                users:
                - name: %s
                  user:
                    token: %s
                contexts:
                - name: test
                  context:
                    cluster: test
                    user: %s
                    namespace: %s
                """.formatted(url(), certificate(), user, token(user), user, namespace);
        try {
            return Files.writeString(
                    directory.resolve(user + "-" + namespace + ".kubeconfig"), text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** kill -9 of the API server; etcd lives on. */
    public void crash() {
        if (server != null) {
            server.kill();
        }
    }

    /** Starts the API server again, at the same address; it is ready when this returns. */
    public void restart() {
        crash();
        try {
            startServer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        crash();
        if (etcd != null) {
            etcd.kill();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // Left to the system's own cleaning of temporary files.
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
