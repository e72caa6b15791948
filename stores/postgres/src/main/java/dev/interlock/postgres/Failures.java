package dev.interlock.postgres;

import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** What an SQLException means to the caller of a store: what happened, and what to do next. */
final class Failures {
    private Failures() {}

    static StoreUnavailable translate(SQLException e) {
        String state = state(e);
        Kind kind = kind(state);
        return new StoreUnavailable(kind, sentence(kind, state, e), e);
    }

    /** The connection is of no use any more; the request may be sent again on another. */
    static boolean isWorthAnotherConnection(SQLException e) {
        String state = state(e);
        return state.startsWith("08") || state.startsWith("57P") || isForgottenStatement(e);
    }

    /** A pooler in transaction mode has mixed up prepared statements of several clients. */
    static boolean isForgottenStatement(SQLException e) {
        return state(e).equals("26000") || state(e).equals("42P05");
    }

    /** The server process is another than the one that the store has last looked at. */
    static boolean isUnknownServer(SQLException e) {
        return state(e).equals("IL001");
    }

    /** What is declared is not what the request went by. */
    static boolean isOutdated(SQLException e) {
        return state(e).equals("IL005");
    }

    /** Another resource was given the name after we had looked who has it. */
    static boolean isNameTaken(SQLException e) {
        return state(e).equals("23505")
                && e instanceof PSQLException said
                && said.getServerErrorMessage() != null
                && "resource_name".equals(said.getServerErrorMessage().getConstraint());
    }

    /** The lease that was to carry a grant and has ended; null when that is not what happened. */
    static @Nullable UUID endedLease(SQLException e) {
        if (!state(e).equals("IL004") || !(e instanceof PSQLException said) || said.getServerErrorMessage() == null) {
            return null;
        }
        String detail = said.getServerErrorMessage().getDetail();
        return detail == null ? null : UUID.fromString(detail);
    }

    /** Somebody else had a row or a table for longer than the request was ready to wait. */
    static boolean isLockTimeout(StoreUnavailable e) {
        return e.getCause() instanceof SQLException sql && state(sql).equals("55P03");
    }

    private static String state(SQLException e) {
        @Nullable String state = e.getSQLState();
        return state == null ? "" : state;
    }

    private static Kind kind(String state) {
        return switch (state) {
            case "53300", "53400", "40001", "IL005", "40P01", "55P03", "57014" -> Kind.BUSY;
            case "42501" -> Kind.FORBIDDEN;
            case "25006", "53100" -> Kind.READ_ONLY;
            case "3D000", "3F000", "42P01", "42883" -> Kind.MISCONFIGURED;
            case "IL002" -> Kind.RECOVERING;
            default ->
                state.startsWith("08") || state.startsWith("57P")
                        ? Kind.UNREACHABLE
                        : state.startsWith("28") ? Kind.FORBIDDEN : Kind.BROKEN;
        };
    }

    private static String sentence(Kind kind, String state, SQLException e) {
        String said = firstLine(e);
        return switch (kind) {
            case UNREACHABLE ->
                "PostgreSQL cannot be reached: " + said + " Check that it runs and that the address is right.";
            case BUSY -> "PostgreSQL is too busy to answer: " + said + " Try again in a moment.";
            case FORBIDDEN -> "PostgreSQL refuses this user: " + said + " Check the user, its password and its rights.";
            case READ_ONLY ->
                state.equals("53100")
                        ? "PostgreSQL's disk is full, so nothing can be granted: " + said
                                + " Free some space; no restart is needed."
                        : "This PostgreSQL is read-only, probably a standby: " + said + " Connect to the primary.";
            case RECOVERING ->
                "PostgreSQL has failed over or was restored, and locks it may have forgotten could still be in use: "
                        + said + " Try again then.";
            case MISCONFIGURED ->
                state.equals("3D000")
                        ? "PostgreSQL does not have this database: " + said
                        : "The schema of Interlock is not installed in this database: " + said
                                + " Run: interlock store upgrade";
            case TOO_NEW, BROKEN -> "PostgreSQL answered with an error that Interlock did not expect: " + said;
        };
    }

    private static String firstLine(SQLException e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        String line = message.lines().findFirst().orElse("").strip();
        if (line.startsWith("ERROR: ") || line.startsWith("FATAL: ")) {
            line = line.substring(7);
        }
        return line.endsWith(".") ? line : line + ".";
    }
}
