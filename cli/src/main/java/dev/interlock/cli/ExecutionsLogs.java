package dev.interlock.cli;

import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.Standing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.List;

final class ExecutionsLogs implements Command {
    private static final int PIECES = 100;

    @Override
    public void shape(Shape shape) {
        shape.positional("ID", "The id of the execution.")
                .option("--attempt", "N", "Which attempt. Default: the last.")
                .flag("Go on showing what it prints, to its end, and end as its command ends.", "-f", "--follow")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) throws InterruptedException {
        String id = given.positional();
        Standing standing = session.work().executions().find(id).orElse(null);
        if (standing == null) {
            return session.say(Exit.FAILED, ExecutionsShow.unknown(id));
        }
        if (given.has("--follow")) {
            return new Following(session, id).toTheEnd();
        }
        int last = standing.execution().attempts().size();
        int attempt = (int) given.number("--attempt", last, 0, Integer.MAX_VALUE);
        return attempt < 1 || attempt > last
                ? session.say(Exit.FAILED, "Execution " + id + " has had " + last + " attempts.")
                : print(session, id, attempt);
    }

    private static int print(Session session, String id, int attempt) {
        WritableByteChannel out = Channels.newChannel(session.terminal().out());
        long shown = 0;
        List<LogStore.Piece> pieces = session.work().logs().read(id, attempt, shown, PIECES);
        while (!pieces.isEmpty()) {
            for (LogStore.Piece piece : pieces) {
                if (piece.number() > shown + 1) {
                    session.talk().say("Here some of the output was not kept.");
                }
                shown = piece.number();
                write(out, piece);
            }
            pieces = session.work().logs().read(id, attempt, shown, PIECES);
        }
        session.terminal().out().flush();
        if (shown == 0) {
            session.talk().say("Attempt " + attempt + " of execution " + id + " has printed nothing.");
        }
        return Exit.OK;
    }

    private static void write(WritableByteChannel out, LogStore.Piece piece) {
        try {
            out.write(piece.bytes().duplicate());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
