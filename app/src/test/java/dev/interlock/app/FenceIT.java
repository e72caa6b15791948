package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The guard that the store ships, for data in its own database. */
class FenceIT {
    private static final String COMMAND = "echo $INTERLOCK_TOKEN; exec sleep 600";

    @Test
    void a_write_with_a_superseded_token_is_refused() throws IOException, SQLException {
        try (Homes homes = new Homes()) {
            Server server = Server.started(homes.path("home"));
            server.execute("CREATE TABLE ledger (entry text)");
            Cli interlock = Cli.in(homes.path("home"));
            Running first = interlock.start("run", "--ttl", "8s", "--lock", "books", "--", "sh", "-c", COMMAND);
            long old = Long.parseLong(first.firstLine());
            write(server, old, "first");

            first.signal("KILL");
            first.result();
            Running second = interlock.start("run", "--wait", "2m", "--lock", "books", "--", "sh", "-c", COMMAND);
            long token = Long.parseLong(second.firstLine());
            write(server, token, "second");

            assertThatThrownBy(() -> write(server, old, "first, late"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("IL003"))
                    .hasMessageContaining("token " + old + " of lock 'books' is not the present grant");
            second.signal("TERM");
            second.result();
            assertThatThrownBy(() -> write(server, token, "second, late"))
                    .hasMessageContaining("not the present grant");
            assertThat(server.number("SELECT count(*) FROM ledger")).isEqualTo(2);
        }
    }

    private static void write(Server server, long token, String entry) throws SQLException {
        try (Connection connection = server.connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement fence = connection.prepareStatement("SELECT interlock.fence('books', ?)");
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger VALUES (?)")) {
                fence.setLong(1, token);
                fence.execute();
                insert.setString(1, entry);
                insert.execute();
            }
            connection.commit();
        }
    }
}
