package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testing.elasticmq.ElasticMqServer;
import dev.interlock.testing.promtool.Promtool;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Workers as processes that are woken through a queue, which is real, comes, goes and lies. */
class SqsIT {
    private static final int TARGETS = 5;

    /** Notes each run, and whether anybody else was at the same target meanwhile. */
    private static final String DECLARATIONS = """
            workflows:
              visit:
                command:
                  - sh
                  - -c
                  - >-
                    mkdir "$PLACE/$INTERLOCK_TARGET" || echo "overlap $INTERLOCK_TARGET" >> "$PLACE/journal";
                    echo "$INTERLOCK_EXECUTION" >> "$PLACE/journal";
                    while [ -e "$PLACE/$INTERLOCK_TARGET.wait" ]; do sleep 0.05; done;
                    rmdir "$PLACE/$INTERLOCK_TARGET"
            """;

    private static Homes homes;
    private static Server server;
    private static Path declarations;
    private static SqsClient sqs;

    private final List<Running> workers = new ArrayList<>();

    @BeforeAll
    static void startServers() throws IOException {
        homes = new Homes();
        server = Server.started(homes.path("home"));
        declarations = Files.writeString(homes.path("workflows.yaml"), DECLARATIONS);
        sqs = SqsClient.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .region(Region.of("elasticmq"))
                .endpointOverride(ElasticMqServer.endpoint())
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("me", "secret")))
                .build();
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException {
        sqs.close();
        homes.close();
    }

    @AfterEach
    void endWhatWasStarted() {
        workers.forEach(worker -> worker.process().destroyForcibly());
    }

    private static Cli cli() {
        return Cli.in(homes.path("home"))
                .with("AWS_ACCESS_KEY_ID", "me")
                .with("AWS_SECRET_ACCESS_KEY", "canary")
                .with("AWS_EC2_METADATA_DISABLED", "true");
    }

    private static String address(String queue) {
        return "sqs://" + queue + "?region=elasticmq&endpoint=" + ElasticMqServer.endpoint();
    }

    private Running worker(Cli cli, String... more) {
        List<String> words = new ArrayList<>(List.of("worker", "-d", declarations.toString(), "--slots", "3"));
        words.addAll(List.of(more));
        Running worker = cli.start(words.toArray(new String[0]));
        workers.add(worker);
        Running.await("a worker; it said: " + worker.err(), () -> worker.err().contains("executions at once"));
        return worker;
    }

    /** One that a relay has asked for wake-ups for: only then do submits leave any. */
    private static void awaitRelay(String queue) {
        Running.await(
                "a relay",
                () -> server.number("SELECT count(*) FROM interlock.store WHERE transport LIKE '%" + queue + "%'")
                        == 1);
    }

    private static String submit(Path place, String target) {
        InProcess.Said said = InProcess.run(
                Map.of("INTERLOCK_STORE", server.url()),
                "executions",
                "submit",
                "visit",
                target,
                "-p",
                "PLACE=" + place,
                "-q");
        assertThat(said.code()).as(said.err()).isZero();
        return said.out().strip();
    }

    private static List<String> submitEverywhere(Path place, int times) {
        return IntStream.range(0, times * TARGETS)
                .mapToObj(number -> submit(place, "t" + number % TARGETS))
                .toList();
    }

    private static void wakeAgain(String queue, List<String> executions) {
        for (String execution : executions) {
            sqs.sendMessage(request -> request.queueUrl(url(queue))
                    .messageBody(execution)
                    .messageGroupId("again-" + execution.hashCode() % TARGETS)
                    .messageDeduplicationId(UUID.randomUUID().toString()));
        }
    }

    private static String url(String queue) {
        return sqs.getQueueUrl(request -> request.queueName(queue)).queueUrl();
    }

    private static int messages(String queue) {
        return sqs
                .getQueueAttributes(request -> request.queueUrl(url(queue))
                        .attributeNames(
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                .attributes()
                .values()
                .stream()
                .mapToInt(Integer::parseInt)
                .sum();
    }

    private static List<String> journal(Path place) {
        try {
            Path journal = place.resolve("journal");
            return Files.exists(journal) ? Files.readAllLines(journal) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void every_execution_runs_once_though_wake_ups_come_twice_and_the_queue_goes_and_comes() throws IOException {
        String queue = "visits.fifo";
        Path place = Files.createDirectories(homes.path("visits"));
        assertThat(cli().run("sqs", "create-queue", "--queue", address(queue)))
                .isEqualTo(new Running.Result(
                        0, "", "interlock: The queue " + address(queue) + " is there, with its dead-letter queue.\n"));
        worker(cli(), "--queue", address(queue));
        worker(cli(), "--queue", address(queue));
        awaitRelay(queue);

        List<String> before = submitEverywhere(place, 5);
        wakeAgain(queue, before);
        sqs.deleteQueue(request -> request.queueUrl(url(queue)));
        List<String> without = submitEverywhere(place, 5);
        Running.await(
                "word of it; said: " + workers.getFirst().err(),
                () -> workers.stream().allMatch(worker -> worker.err().contains("There is no queue 'visits.fifo'")));
        Running.await("all of them", () -> journal(place).size() >= 2 * TARGETS * 5);

        assertThat(journal(place))
                .as("each once, and never two at a target")
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(before.stream(), without.stream()).toList());

        assertThat(cli().run("sqs", "create-queue", "--queue", address(queue)).status())
                .isZero();
        Running.await(
                "word of it; said: " + workers.getFirst().err(),
                () -> workers.stream().allMatch(worker -> worker.err().contains("The queue answers again.")));
        usesTheQueue(queue, place);

        Running.await("an empty queue", () -> messages(queue) == 0);
        assertThat(messages("visits-dlq.fifo")).as("dead under contention").isZero();
        String ours = "SELECT count(*) FROM interlock.execution WHERE parameters ->> 'PLACE' = '" + place + "' AND ";
        Running.await("the ends", () -> server.number(ours + "ended_at IS NULL") == 0);
        assertThat(server.number(ours + "(phase <> 'COMPLETED' OR attempt <> 1)"))
                .isZero();
    }

    /**
     * Its target is busy, so that it waits and is not forgotten: what was left for it in the outbox can only have been
     * sent. And what lies in the queue can only be taken away by a worker.
     */
    private static void usesTheQueue(String queue, Path place) throws IOException {
        Path wait = Files.createFile(place.resolve("t0.wait"));
        String holder = submit(place, "t0");
        Running.await("the holder", () -> journal(place).contains(holder));
        String behind = submit(place, "t0");
        Running.await("the relay", () -> server.number("SELECT count(*) FROM interlock.outbox") == 0);
        wakeAgain(queue, List.of(behind));
        Running.await("somebody who listens", () -> messages(queue) == 0);
        Files.delete(wait);
        Running.await("the one behind", () -> journal(place).contains(behind));
    }

    @Test
    void a_worker_shows_the_queue_to_prometheus_and_the_doctor_to_people() throws Exception {
        String queue = "shown.fifo";
        Running.Result missing = cli().run("doctor", "--queue", address(queue));
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.out()).contains("fail  queue: There is no queue 'shown.fifo'");

        cli().run("sqs", "create-queue", "--queue", address(queue));
        assertThat(cli().run("doctor", "--queue", address(queue)).out())
                .contains("ok    queue: sqs://shown.fifo", "ok    redrive policy: to shown-dlq.fifo after 3 receives")
                .contains("ok    dead letters: none");
        wakeAgain("shown-dlq.fifo", List.of("nobody's"));
        assertThat(cli().run("doctor", "--queue", address(queue)).out()).contains("warn  dead letters: 1, the oldest");

        int port = freePort();
        worker(cli(), "--queue", address(queue), "--metrics", String.valueOf(port));
        Running.await("the dead letter", () -> metrics(port).contains("interlock_sqs_dead_letters 1.0"));
        assertThat(metrics(port).lines()).contains("interlock_sqs_reachable 1.0", "interlock_sqs_messages 0.0");
        Promtool.Result lint =
                Promtool.run(Path.of("."), metrics(port).getBytes(StandardCharsets.UTF_8), "check", "metrics");
        assertThat(lint.status()).as(lint.output()).isZero();
    }

    /** The environment decides: with a region there may be credentials later, without one there never will be an address. */
    @Test
    void what_cannot_work_is_refused_and_what_may_work_later_is_told_once() throws IOException {
        Path place = Files.createDirectories(homes.path("without"));
        Cli stranger = Cli.in(homes.path("home"))
                .with("AWS_EC2_METADATA_DISABLED", "true")
                .with("AWS_CONFIG_FILE", "/dev/null")
                .with("AWS_SHARED_CREDENTIALS_FILE", "/dev/null");
        String[] nowhere = {"worker", "-d", declarations.toString(), "--queue", "sqs://jobs.fifo"};
        Running.Result refused = stranger.run(nowhere);
        assertThat(refused.status()).as(refused.err()).isEqualTo(64);
        assertThat(refused.err()).contains("No AWS region is set.");

        Running worker = worker(stranger, "--queue", address("jobs.fifo"));
        Running.await("word of it", () -> worker.err().contains("There are no AWS credentials here."));
        String execution = submit(place, "t0");
        Running.await("the work", () -> journal(place).contains(execution));
        assertThat(worker.err()).containsOnlyOnce("There are no AWS credentials here.");
    }

    @Test
    void a_worker_without_a_queue_stops_submits_from_sending() throws IOException {
        Path place = Files.createDirectories(homes.path("none"));
        server.execute("UPDATE interlock.store SET transport = 'sqs://old.fifo', transport_until = 'infinity'");
        submit(place, "t0");
        assertThat(server.number("SELECT count(*) FROM interlock.outbox")).isPositive();

        worker(cli(), "--queue", "none");

        assertThat(server.number("SELECT count(*) FROM interlock.outbox")).isZero();
        assertThat(server.number("SELECT count(transport) FROM interlock.store"))
                .isZero();
    }

    @Test
    void a_command_that_names_no_queue_has_nothing_of_one_on_its_class_path() throws IOException {
        List<String> common = jars("");

        assertThat(jars("sqs")).hasSize(2).doesNotContainAnyElementsOf(common);
        assertThat(jars("aws")).isNotEmpty().doesNotContainAnyElementsOf(common);
        assertThat(common).noneMatch(jar -> jar.contains("sqs"));
    }

    private static List<String> jars(String directory) throws IOException {
        Path lib = Cli.distribution().resolve("lib").resolve(directory);
        try (Stream<Path> files = Files.list(lib)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar"))
                    .toList();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String metrics(int port) {
        try (InputStream answer =
                URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
