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
        here.logs().append(EXECUTION, 2, 42, List.of(out("a"), new Printed(Stream.ERR, out("b").bytes())));
        here.logs().append(EXECUTION, 2, 42, List.of());
        here.logs().append(EXECUTION, 2, 42, List.of(out("c"), out("")));

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
        here.logs().append(EXECUTION, 2, 42, List.of(new Printed(Stream.OUT, middle)));

        ByteBuffer read = ByteBuffer.allocate(bytes.length - 20);
        all().forEach(piece -> read.put(piece.bytes()));
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(bytes, 10, bytes.length - 20));
        assertThat(middle.remaining()).isEqualTo(bytes.length - 20);
    }

    @Test
    void a_stale_token_and_another_attempt_and_a_finished_one_add_nothing() throws SQLException {
        here.logs().append(EXECUTION, 2, 41, List.of(out("stale")));
        here.logs().append(EXECUTION, 1, 42, List.of(out("before")));
        here.logs().append("exec-2", 2, 42, List.of(out("unknown")));
        Session.askOnce(database, "UPDATE interlock.execution SET phase = 'COMPLETED'");
        here.logs().append(EXECUTION, 2, 42, List.of(out("late")));
        assertThat(count("interlock.log")).isZero();
    }

    /** The attempt runs when the append begins; it is over, and the next one runs, when the append gets the row. */
    @Test
    void what_was_on_its_way_when_the_attempt_ended_adds_nothing() throws Exception {
        other.ask("UPDATE interlock.execution SET attempt = 3, token = 43");
        var late = Session.beside(() -> {
            here.logs().append(EXECUTION, 2, 42, List.of(out("late")));
            return true;
        });
        Session.awaitBlocked(database, 1);

        other.commit();

        assertThat(late.join()).isTrue();
        assertThat(count("interlock.log")).isZero();
    }

    /** Both begin and see no piece; the first takes number 1; the second must not. */
    @Test
    void of_two_who_append_at_once_none_is_lost() throws Exception {
        other.ask("SELECT 1 FROM interlock.execution FOR UPDATE");
        var one = Session.beside(() -> append("a"));
        var two = Session.beside(() -> append("b"));
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(List.of(one.join(), two.join())).containsOnly(true);
        assertThat(all()).extracting(Piece::number).containsExactly(1L, 2L);
    }

    private boolean append(String text) {
        here.logs().append(EXECUTION, 2, 42, List.of(out(text)));
        return true;
    }

    @Test
    void up_to_the_bound_everything_is_kept() {
        here.logs().append(EXECUTION, 2, 42, List.of(out(LogStore.MAX_BYTES)));
        assertThat(size(all())).isEqualTo(LogStore.MAX_BYTES);
    }

    @Test
    void beyond_the_bound_the_middle_goes_and_the_gap_shows() {
        here.logs().append(EXECUTION, 2, 42, List.of(out("begin"), out(HEAD)));
        for (int times = 0; times < 40; times++) {
            here.logs().append(EXECUTION, 2, 42, List.of(out(100_000)));
            assertThat(size(all())).isLessThanOrEqualTo(LogStore.MAX_BYTES);
        }
        here.logs().append(EXECUTION, 2, 42, List.of(out("end")));

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
        here.logs().append(EXECUTION, 2, 42, List.of(out("begin")));
        long seen = all().getLast().number();
        here.logs().append(EXECUTION, 2, 42, List.of(out(3 * LogStore.MAX_BYTES), out("end")));
        List<Piece> rest = elsewhere.logs().read(EXECUTION, 2, seen, Integer.MAX_VALUE);
        assertThat(rest.getFirst().number()).isEqualTo(seen + 1);
        assertThat(text(rest.getLast())).endsWith(" OUT end");
    }
}
