package dev.interlock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.core.Force;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Locks;
import dev.interlock.core.Options;
import dev.interlock.core.Page;
import dev.interlock.core.Settings;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.system.ThisProcess;
import dev.interlock.core.work.ExecutionFilter;
import dev.interlock.core.work.WorkStores;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.embedded.EmbeddedPostgres;
import dev.interlock.engine.Worker;
import dev.interlock.engine.Workplace;
import dev.interlock.postgres.PostgresExecutionStore;
import dev.interlock.postgres.PostgresLockStore;
import dev.interlock.postgres.PostgresSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class ExamplesTest {
    @TempDir
    static Path home;

    private static EmbeddedPostgres postgres;
    private static final PGSimpleDataSource DATABASE = new PGSimpleDataSource();

    @BeforeAll
    static void startServer() throws IOException {
        // As root the server is another user, who has to pass through.
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        postgres = new EmbeddedPostgres(home.resolve("store"), progress -> {});
        var address = postgres.address();
        DATABASE.setUrl(address.jdbcUrl());
        DATABASE.setUser("interlock");
        DATABASE.setPassword(address.password());
        PostgresSchema.migrate(DATABASE);
    }

    @AfterAll
    static void stopServer() {
        postgres.stop();
    }

    @Test
    void replicas_that_start_at_once_migrate_one_after_the_other() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Long> tokens = new CopyOnWriteArrayList<>();
        Migration migration = new Migration(DATABASE, token -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            tokens.add(token);
            inside.decrementAndGet();
        });

        try (ExecutorService replicas = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = IntStream.range(0, 5)
                    .<Future<?>>mapToObj(replica -> replicas.submit(() -> {
                        migration.run();
                        return replica;
                    }))
                    .toList();
            for (Future<?> one : all) {
                one.get();
            }
        }

        assertThat(tokens).hasSize(5).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void an_order_and_its_execution_are_there_together_or_not_at_all() throws Exception {
        execute("CREATE TABLE orders (execution text PRIMARY KEY, customer text CHECK (customer <> 'mallory'))");
        execute("CREATE TABLE IF NOT EXISTS deployment (service text PRIMARY KEY, version text)");
        execute("INSERT INTO deployment VALUES ('shop', 'v1')");
        var ports = SystemPorts.create();
        try (WorkStores stores = PostgresLockStore.open(DATABASE, ports).work()) {
            stores.catalogue().publish(new Catalogue(Map.of("deploy", Workflow.plain("deploy")), Map.of()), "test");
            var executions = (PostgresExecutionStore) stores.executions();
            TransactionalSubmit orders = new TransactionalSubmit(DATABASE, executions);

            assertThat(catchThrowable(() -> orders.order("shop", "v9", "mallory")))
                    .isInstanceOf(SQLException.class);
            String execution = orders.order("shop", "v2", "alice");

            Workplace place = new Workplace(
                    executions,
                    stores.catalogue(),
                    stores.workers(),
                    stores.logs(),
                    stores.locks(),
                    ThisProcess.identity(),
                    ports);
            try (Worker worker = Worker.at(place)
                    .handling("deploy", new FencedHandler(DATABASE))
                    .start()) {
                while (!executions
                        .find(execution)
                        .orElseThrow()
                        .execution()
                        .phase()
                        .isTerminal()) {
                    ports.pause(Duration.ofMillis(20));
                }
                assertThat(worker.id()).isNotEmpty();
            }
            assertThat(executions.find(execution).orElseThrow().execution().phase())
                    .isEqualTo(Phase.COMPLETED);
            assertThat(executions.list(ExecutionFilter.ALL, Page.Request.FIRST).items())
                    .hasSize(1);
        }
        assertThat(ask("SELECT version FROM deployment WHERE service = 'shop'")).isEqualTo("v2");
    }

    @Test
    void whoever_has_lost_its_lock_cannot_deploy() throws Exception {
        execute("CREATE TABLE IF NOT EXISTS deployment (service text PRIMARY KEY, version text)");
        execute("INSERT INTO deployment VALUES ('payment-api', 'v1')");
        FencedDeployment deployment = new FencedDeployment(DATABASE);
        var ports = SystemPorts.create();
        try (PostgresLockStore store = PostgresLockStore.open(DATABASE, ports);
                Locks locks = new Locks(store, ThisProcess.identity(), Settings.DEFAULT, ports);
                HeldLock lock = locks.acquire("payment-api", Options.waiting(Duration.ofMinutes(1)))) {
            deployment.deploy("payment-api", "v2", lock);

            store.force(new Force(lock.name(), lock.token(), "alice", "rolling back", true));

            assertThat(catchThrowable(() -> deployment.deploy("payment-api", "v3", lock)))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("IL003"));
        }
        assertThat(ask("SELECT version FROM deployment WHERE service = 'payment-api'"))
                .isEqualTo("v2");
    }

    @Test
    void the_readme_shows_what_is_compiled_here() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        List<String> compiled = between(
                Files.readAllLines(root.resolve("examples/src/main/java/dev/interlock/examples/Migration.java")),
                "// readme:begin",
                "// readme:end");
        List<String> shown = between(Files.readAllLines(root.resolve("README.md")), "```java", "```");

        assertThat(shown).isNotEmpty().isEqualTo(compiled);
    }

    private static List<String> between(List<String> lines, String begin, String end) {
        Stream<String> words = lines.stream().map(line -> line.strip().replaceAll(" +", " "));
        return words.dropWhile(line -> !line.equals(begin))
                .skip(1)
                .takeWhile(line -> !line.equals(end))
                .toList();
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DATABASE.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String ask(String sql) throws SQLException {
        try (Connection connection = DATABASE.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
