package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.LogStore.Piece;
import dev.interlock.core.work.LogStore.Printed;
import dev.interlock.core.work.LogStore.Stream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresLogsTest extends WorkDatabase {
    private static final String EXECUTION = "exec-1";
    private static final int HEAD = 64 * 1024;

    private long printedBytes;

    @BeforeEach
    void run() throws SQLException {
        ExecutionRows.insert(database, EXECUTION, "RUNNING", 2, 42, "worker");
    }

    private static Printed out(String text) {
        return new Printed(Stream.OUT, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Printed out(int bytes) {
        return new Printed(Stream.OUT, ByteBuffer.allocate(bytes));
    }

    /** The next that the attempt prints. */
    private void append(Printed... pieces) {
        here.logs().append(EXECUTION, 2, 42, printedBytes, List.of(pieces));
        for (Printed piece : pieces) {
            printedBytes += piece.bytes().remaining();
        }
    }

    private List<Piece> all() {
        return elsewhere.logs().read(EXECUTION, 2, 0, Integer.MAX_VALUE);
    }

    private static String text(Piece piece) {
        return piece.number() + " " + piece.stream() + " "
                + StandardCharsets.UTF_8.decode(piece.bytes().duplicate());
    }

    private static long size(List<Piece> pieces) {
        return pieces.stream().mapToLong(piece -> piece.bytes().remaining()).sum();
    }

    @Test
    void pieces_are_numbered_and_read_after_a_number() {
        append(out("a"), new Printed(Stream.ERR, out("b").bytes()));
        append();
        append(out("c"), out(""));

        assertThat(all()).extracting(PostgresLogsTest::text).containsExactly("1 OUT a", "2 ERR b", "3 OUT c");
        assertThat(elsewhere.logs().read(EXECUTION, 2, 1, 1))
                .extracting(PostgresLogsTest::text)
                .containsExactly("2 ERR b");
        assertThat(elsewhere.logs().read(EXECUTION, 2, 3, 10)).isEmpty();
        assertThat(elsewhere.logs().read(EXECUTION, 1, 0, 10)).isEmpty();
    }

    @Test
    void what_is_printed_is_kept_byte_by_byte() {
        byte[] bytes = new byte[40_000];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) at;
        }
        ByteBuffer middle = ByteBuffer.wrap(bytes, 10, bytes.length - 20);
        append(new Printed(Stream.OUT, middle));

        ByteBuffer read = ByteBuffer.allocate(bytes.length - 20);
        all().forEach(piece -> read.put(piece.bytes()));
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(bytes, 10, bytes.length - 20));
        assertThat(middle.remaining()).isEqualTo(bytes.length - 20);
    }

    @Test
    void a_stale_token_and_another_attempt_and_a_finished_one_add_nothing() throws SQLException {
        here.logs().append(EXECUTION, 2, 41, 0, List.of(out("stale")));
        here.logs().append(EXECUTION, 1, 42, 0, List.of(out("before")));
        here.logs().append("exec-2", 2, 42, 0, List.of(out("unknown")));
        Session.askOnce(database, "UPDATE interlock.execution SET phase = 'COMPLETED'");
        append(out("late"));
        assertThat(count("interlock.log")).isZero();
    }

    /** The attempt runs when the append begins; it is over, and the next one runs, when the append gets the row. */
    @Test
    void what_was_on_its_way_when_the_attempt_ended_adds_nothing() throws Exception {
        other.ask("UPDATE interlock.execution SET attempt = 3, token = 43");
        var late = Session.beside(() -> {
            append(out("late"));
            return true;
        });
        Session.awaitBlocked(database, 1);

        other.commit();

        assertThat(late.join()).isTrue();
        assertThat(count("interlock.log")).isZero();
    }

    // the first call                             the same again, because the answer did not come
    // waits for the row of the execution
    //                                            waits for it too, on another connection
    // adds its piece
    //                                            finds it there
    @Test
    void what_is_sent_again_while_the_first_is_still_on_its_way_is_kept_once() throws Exception {
        other.ask("SELECT 1 FROM interlock.execution FOR UPDATE");
        var first = Session.beside(() -> sent(here.logs(), out("a")));
        var again = Session.beside(() -> sent(elsewhere.logs(), out("a"), out("b")));
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(List.of(first.join(), again.join())).containsOnly(true);
        assertThat(all()).extracting(PostgresLogsTest::text).containsExactly("1 OUT a", "2 OUT b");
    }

    private static boolean sent(LogStore logs, Printed... pieces) {
        logs.append(EXECUTION, 2, 42, 0, List.of(pieces));
        return true;
    }

    @Test
    void up_to_the_bound_everything_is_kept() {
        append(out(LogStore.MAX_BYTES));
        assertThat(size(all())).isEqualTo(LogStore.MAX_BYTES);
    }

    @Test
    void beyond_the_bound_the_middle_goes_and_the_gap_shows() {
        append(out("begin"), out(HEAD));
        for (int times = 0; times < 40; times++) {
            append(out(100_000));
            assertThat(size(all())).isLessThanOrEqualTo(LogStore.MAX_BYTES);
        }
        append(out("end"));

        List<Piece> kept = all();
        assertThat(text(kept.getFirst())).isEqualTo("1 OUT begin");
        assertThat(text(kept.getLast())).endsWith(" OUT end");
        assertThat(size(kept)).isBetween(LogStore.MAX_BYTES - 40_000L, (long) LogStore.MAX_BYTES);
        int gaps = 0;
        for (int at = 1; at < kept.size(); at++) {
            gaps += kept.get(at).number() == kept.get(at - 1).number() + 1 ? 0 : 1;
        }
        assertThat(gaps).isEqualTo(1);
    }

    @Test
    void whoever_follows_misses_only_what_is_gone() {
        append(out("begin"));
        long seen = all().getLast().number();
        append(out(3 * LogStore.MAX_BYTES), out("end"));
        List<Piece> rest = elsewhere.logs().read(EXECUTION, 2, seen, Integer.MAX_VALUE);
        assertThat(rest.getFirst().number()).isEqualTo(seen + 1);
        assertThat(text(rest.getLast())).endsWith(" OUT end");
    }
}
