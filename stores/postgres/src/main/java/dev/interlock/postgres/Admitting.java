package dev.interlock.postgres;

import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Case;
import dev.interlock.core.admission.Consequence;
import dev.interlock.core.admission.Reason;
import dev.interlock.core.admission.Rule;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One execution whose admission takes more than a free target, decided upon in one transaction. */
final class Admitting {
    private static final String READY =
            "SELECT * FROM interlock.execution WHERE id = ? AND turn = 'READY' FOR UPDATE SKIP LOCKED";
    private static final String APPROACH = "SELECT interlock.approach(?)";
    private static final String CARRY = "SELECT interlock.carry(ARRAY[?::uuid], ARRAY[?::bigint], ?, ?, ?)";
    private static final String START = """
            SELECT e.*, clock_timestamp() AS seen_at
              FROM interlock.start(?, ARRAY[?], ?::jsonb, ?, ?, ?) e""";

    /** How soon to look again at a lock that somebody else holds. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Claiming claiming;
    private int parked;

    Admitting(Claiming claiming) {
        this.claiming = claiming;
    }

    /** Null when it has not started; then it waits, or has ended. */
    @Nullable Claimed admit(Connection connection, String id, UUID claim) throws SQLException {
        Execution ready = ready(connection, id);
        if (ready == null) {
            return null;
        }
        Catalogue catalogue = claiming.declared().catalogue();
        String target = ready.request().target();
        boolean ours = approach(connection, target);
        Holdings holdings = Holdings.take(connection, target, catalogue);
        Case of = Situations.read(connection, candidate(ready), catalogue, holdings);
        switch (of.consequence()) {
            case Consequence.Start start -> {
                Claimed claimed = start(connection, ready, claim, holdings);
                if (claimed == null) {
                    Changes.putAside(connection, id, of.now().plus(SOON));
                }
                return claimed;
            }
            case Consequence.Wait(Reason reason, Instant until) -> {
                Instant again = again(of, until, ours);
                parked += again == null && reason.rule() == Rule.RESOURCE_BUSY ? 1 : 0;
                Changes.putAside(connection, id, again);
            }
            case Consequence.Skip(Reason reason) -> end(connection, refused(ready, reason, of.now()), holdings);
            case Consequence.Fail(Reason reason) ->
                end(connection, Deciding.rejected(ready, reason, of.now()), holdings);
        }
        return null;
    }

    /** How many of those decided upon stand in line now behind others of their target. */
    int parked() {
        return parked;
    }

    /** One that has run before was admitted before: it waits for its turn, whatever it wanted at first. */
    private static Candidate candidate(Execution ready) {
        Request request =
                ready.attempts().isEmpty() ? ready.request() : ready.request().withOnBusy(OnBusy.QUEUE);
        return new Candidate(ready.id(), ready.attempts().size() + 1, request, ready.submittedAt());
    }

    /** What an earlier attempt may have left half done must not be passed over as if nothing had been done. */
    private static Execution refused(Execution ready, Reason reason, Instant at) {
        return ready.attempts().isEmpty() ? Deciding.skipped(ready, reason, at) : Deciding.rejected(ready, reason, at);
    }

    /** When to look again; null when whoever works on the target, or is ahead, will make it ready. */
    private static @Nullable Instant again(Case of, @Nullable Instant until, boolean ours) {
        Instant soon = of.now().plus(SOON);
        Lock lock = of.situation().lock();
        boolean someoneElses = lock != null
                && (lock.isHeld() || lock.waiting() > 0)
                && of.situation().open().stream()
                        .noneMatch(open -> open.running()
                                && open.execution().equals(lock.holder().execution()));
        if (someoneElses) {
            return until != null && until.isBefore(soon) ? until : soon;
        }
        if (until != null) {
            return until.truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS);
        }
        return ours ? null : soon;
    }

    private @Nullable Claimed start(Connection connection, Execution ready, UUID claim, @Nullable Holdings holdings)
            throws SQLException {
        Resource resource = holdings == null ? null : holdings.begun(ready);
        Workflow workflow =
                claiming.declared().catalogue().workflow(ready.request().workflow(), resource);
        Lease lease = claiming.claimant()
                .leases()
                .get(Objects.requireNonNull(workflow).policy().lease());
        if (lease == null) {
            return null;
        }
        carry(connection, lease);
        try (PreparedStatement statement = connection.prepareStatement(START)) {
            statement.setObject(1, claim);
            statement.setString(2, ready.id());
            statement.setString(
                    3,
                    Json.write(Map.of(
                            ready.request().workflow(),
                            Claiming.terms(lease, workflow.policy().timeout()))));
            statement.setString(4, claiming.claimant().identity().owner());
            statement.setBoolean(
                    5, holdings != null && ready.id().equals(holdings.resource().under()));
            statement.setString(6, resource == null ? null : resource.state());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                if (holdings != null) {
                    holdings.begin(connection, ready);
                }
                Execution started =
                        Executions.started(row, claiming.claimant().identity().owner());
                return claiming.claimed(row, started, workflow, resource);
            }
        }
    }

    private void carry(Connection connection, Lease lease) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CARRY)) {
            statement.setObject(1, lease.id());
            statement.setLong(2, Claiming.micros(lease.duration()));
            statement.setString(3, claiming.claimant().identity().owner());
            statement.setString(4, claiming.claimant().identity().user());
            statement.setString(5, claiming.channel());
            statement.execute();
        }
    }

    private static void end(Connection connection, Execution ended, @Nullable Holdings holdings) throws SQLException {
        Instant dead = ended.attempts().isEmpty() ? null : ended.completedAt();
        Changes.write(connection, ended, Phase.PENDING, null, dead);
        Resource resource = holdings == null ? null : holdings.end(connection, ended, false);
        Changes.note(
                connection,
                ended.id(),
                "REFUSED",
                0,
                null,
                Deciding.sentence(ended),
                resource == null ? null : resource.state());
        Changes.promote(connection, ended.request().target());
    }

    private static @Nullable Execution ready(Connection connection, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(READY)) {
            statement.setString(1, id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Executions.read(row) : null;
            }
        }
    }

    private static boolean approach(Connection connection, String target) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(APPROACH)) {
            statement.setString(1, target);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }
}
