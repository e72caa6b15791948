package dev.interlock.cli;

import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.Standing;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows what an execution prints while it runs, attempt after attempt, and ends as it ends. */
final class Following {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);
    private static final int PIECES = 100;

    private final Session session;
    private final String id;
    private int attempt = 1;
    private long shown;
    private @Nullable String lastNote;

    Following(Session session, String id) {
        this.session = session;
        this.id = id;
    }

    /** The exit code of the command, as far as there was one. */
    int toTheEnd() throws InterruptedException {
        while (true) {
            // Looked at before its log is read: what was printed before the end is not missed.
            Standing standing = session.work().executions().find(id).orElse(null);
            if (standing == null) {
                return session.say(Exit.FAILED, "Execution '" + id + "' is not there any more.");
            }
            show(standing.execution());
            if (standing.execution().phase().isTerminal()) {
                return end(standing.execution());
            }
            tell(standing);
            session.ports().pause(BETWEEN_LOOKS);
        }
    }

    private void show(Execution execution) {
        int last = Math.max(1, execution.attempts().size());
        while (true) {
            List<LogStore.Piece> pieces = session.work().logs().read(id, attempt, shown, PIECES);
            pieces.forEach(this::show);
            if (pieces.size() < PIECES) {
                if (attempt >= last) {
                    return;
                }
                attempt++;
                shown = 0;
            }
        }
    }

    private void show(LogStore.Piece piece) {
        if (piece.number() > shown + 1 && shown > 0) {
            session.talk().say("Some of the output was not kept.");
        }
        shown = piece.number();
        ByteBuffer bytes = piece.bytes().duplicate();
        byte[] printed = new byte[bytes.remaining()];
        bytes.get(printed);
        var stream = piece.stream() == LogStore.Stream.OUT
                ? session.terminal().out()
                : session.terminal().err();
        stream.write(printed, 0, printed.length);
        stream.flush();
    }

    private void tell(Standing standing) {
        String note = standing.execution().phase().word() + " " + ExecutionViews.note(standing);
        if (standing.execution().running() == null && !note.equals(lastNote)) {
            lastNote = note;
            session.talk().say("Execution " + id + " is " + note.strip() + ".");
        }
    }

    private int end(Execution execution) {
        Integer exit = exit(execution);
        return switch (execution.ending()) {
            case Ending.Failed failed ->
                session.say(
                        exit == null || exit == 0 ? unstarted(failed.failure()) : exit,
                        "Execution " + id + " failed: " + failed.failure().message());
            case Ending.Skipped skipped -> session.say(Exit.REFUSED, skipped.sentence());
            case Ending.Cancelled cancelled ->
                session.say(
                        exit == null || exit == 0 ? Exit.INTERRUPTED : exit,
                        "Execution " + id + " was cancelled by " + cancelled.by() + ": " + cancelled.reason());
            case Ending.Completed completed -> Exit.OK;
            case null -> throw new IllegalStateException("it has ended");
        };
    }

    /** As a shell would have it. */
    private static int unstarted(Failure failure) {
        return switch (failure.code()) {
            case Failure.COMMAND_NOT_FOUND -> Exit.NOT_FOUND;
            case Failure.COMMAND_NOT_EXECUTABLE -> Exit.NOT_EXECUTABLE;
            default -> Exit.FAILED;
        };
    }

    private static @Nullable Integer exit(Execution execution) {
        if (execution.attempts().isEmpty()) {
            return null;
        }
        Attempt.End end = execution.attempts().getLast().end();
        return end == null ? null : end.exit();
    }
}
