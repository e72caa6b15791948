package dev.interlock.postgres;

import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Running;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statement that starts what is ready: one for all that a worker takes at once. */
final class Claiming {
    private static final String CLAIM = """
            SELECT c.*, clock_timestamp() AS seen_at
              FROM interlock.claim(?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?) c""";

    /** What this worker runs; few run at a time, whatever waits. */
    private static final String RUNNING = """
            SELECT e.*, l.renewed_at, l.expires_at, clock_timestamp() AS seen_at
              FROM interlock.execution e
              JOIN interlock.lease l ON l.id = e.lease AND l.ended_at IS NULL AND l.expires_at > clock_timestamp()
             WHERE e.phase = 'RUNNING' AND e.owner = ? AND e.lease = ANY (?)""";

    /** A workflow that the worker offers, with the lease under which it would run. */
    private record Offer(
            String name,
            boolean plain,
            Lease lease,
            @Nullable Duration timeout) {}

    /** What one call found: started, pending still and to be decided upon one by one, or now in line (only counted). */
    record Found(List<Claimed> started, List<Floor.Place> undecided, int parked) {}

    private final Claimant claimant;
    private final Declarations.Kept declared;
    private final String channel;
    private final List<Offer> offers = new ArrayList<>();

    Claiming(Claimant claimant, Declarations.Kept declared, String channel) {
        this.claimant = claimant;
        this.declared = declared;
        this.channel = channel;
        for (String name : claimant.workflows()) {
            Workflow workflow = workflow(name, declared.catalogue());
            Lease lease = workflow == null
                    ? null
                    : claimant.leases().get(workflow.policy().lease());
            if (workflow != null && lease != null) {
                boolean plain = Submitting.isPlain(workflow.policy());
                offers.add(new Offer(name, plain, lease, workflow.policy().timeout()));
            }
        }
    }

    /** By its own name, or by its lifecycle's and its own. */
    private static @Nullable Workflow workflow(String offer, Catalogue catalogue) {
        Workflow own = catalogue.workflows().get(offer);
        if (own != null) {
            return own;
        }
        return catalogue.lifecycles().values().stream()
                .filter(lifecycle -> offer.startsWith(lifecycle.name() + "/"))
                .map(lifecycle ->
                        lifecycle.step(offer.substring(lifecycle.name().length() + 1)))
                .filter(Objects::nonNull)
                .map(step -> step.workflow())
                .findFirst()
                .orElse(null);
    }

    Found claim(Connection connection, UUID claim, int most, Floor.Place from) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
            statement.setObject(1, claim);
            statement.setLong(2, declared.number());
            Parameters.text(statement, 3, offers, Offer::name);
            statement.setArray(
                    4,
                    connection.createArrayOf(
                            "bool", offers.stream().map(Offer::plain).toArray()));
            statement.setArray(
                    5,
                    connection.createArrayOf(
                            "uuid",
                            offers.stream().map(offer -> offer.lease.id()).toArray()));
            Parameters.longs(statement, 6, offers, offer -> micros(offer.lease.duration()));
            statement.setString(
                    7,
                    Json.write(offers.stream()
                            .collect(Collectors.toMap(Offer::name, offer -> terms(offer.lease, offer.timeout)))));
            statement.setString(8, claimant.identity().owner());
            statement.setString(9, claimant.identity().user());
            statement.setString(10, channel);
            statement.setInt(11, most);
            statement.setLong(12, from.rank());
            statement.setObject(13, from.submittedAt());
            statement.setString(14, from.id());
            return read(statement);
        }
    }

    /** What runs on the claimant's leases, and who of it is to be stopped. */
    List<Running> running(Connection connection) throws SQLException {
        List<Running> running = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(RUNNING)) {
            statement.setString(1, claimant.identity().owner());
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "uuid",
                            claimant.leases().values().stream().map(Lease::id).toArray()));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    Execution execution = Executions.read(row);
                    Resource resource =
                            Holdings.find(connection, execution.request().target(), declared.catalogue());
                    Workflow workflow =
                            declared.catalogue().workflow(execution.request().workflow(), resource);
                    if (workflow != null) {
                        running.add(new Running(
                                claimed(row, execution, workflow, resource), row.getString("cancelled_by")));
                    }
                }
            }
        }
        return running;
    }

    /** Under which lease a workflow runs, and after how many microseconds it is stopped. */
    static List<@Nullable Object> terms(Lease lease, @Nullable Duration timeout) {
        return Arrays.asList(lease.id(), timeout == null ? null : micros(timeout));
    }

    private Found read(PreparedStatement statement) throws SQLException {
        List<Claimed> started = new ArrayList<>();
        List<Floor.Place> undecided = new ArrayList<>();
        int parked = 0;
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                if (Executions.hasStarted(row)) {
                    started.add(claimed(row));
                } else if (row.getString("id") == null) {
                    parked = row.getInt("attempt");
                } else {
                    undecided.add(Floor.Place.of(row));
                }
            }
        }
        return new Found(started, undecided, parked);
    }

    /** The workflows that the worker offers, in whatever lifecycle. */
    List<String> workflows() {
        return offers.stream()
                .map(offer -> offer.name.substring(offer.name.lastIndexOf('/') + 1))
                .distinct()
                .toList();
    }

    /** The terms of those that need no decision but a free target. */
    String plainTerms() {
        return Json.write(offers.stream()
                .filter(Offer::plain)
                .collect(Collectors.toMap(Offer::name, offer -> terms(offer.lease, offer.timeout))));
    }

    /** A row of interlock.moved: an execution that was started without a decision. */
    Claimed claimed(ResultSet row) throws SQLException {
        Execution execution = Executions.started(row, claimant.identity().owner());
        Workflow workflow =
                declared.catalogue().workflows().get(execution.request().workflow());
        return claimed(row, execution, Objects.requireNonNull(workflow), null);
    }

    /** A row of an execution that runs, with the times of its lease. */
    Claimed claimed(ResultSet row, Execution execution, Workflow workflow, @Nullable Resource resource)
            throws SQLException {
        Attempt attempt = Objects.requireNonNull(execution.running());
        Lock.Grant grant = new Lock.Grant(
                new Holder(
                        execution.id(),
                        attempt.number(),
                        attempt.owner(),
                        execution.request().requester()),
                row.getObject("lease", UUID.class),
                attempt.startedAt(),
                Rows.instant(row, "renewed_at"),
                Rows.instant(row, "expires_at"),
                null,
                null);
        Lock lock = new Lock(
                LockName.of(execution.request().target()),
                attempt.token(),
                Lock.Status.ACTIVE,
                grant,
                0,
                null,
                Rows.instant(row, "seen_at"));
        return new Claimed(execution, lock, workflow, resource);
    }

    Claimant claimant() {
        return claimant;
    }

    Declarations.Kept declared() {
        return declared;
    }

    String channel() {
        return channel;
    }

    static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
