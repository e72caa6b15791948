package dev.interlock.app;

import dev.interlock.embedded.Address;
import dev.interlock.embedded.EmbeddedPostgres;
import dev.interlock.embedded.Status;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The PostgreSQL of one home, with the tables of Interlock in it, as its administrator sees it. */
record Server(Path home) {
    /** Room for the connections of hundreds of waiting processes. */
    static Server roomy(Path home) throws IOException {
        Files.createDirectories(home);
        Path settings = Files.writeString(home.resolve("postgresql.conf"), "max_connections = 1000\n");
        Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("rw-r--r--"));
        return started(home);
    }

    static Server started(Path home) {
        Running.Result first = Cli.in(home).run("locks", "list");
        if (first.status() != 0) {
            throw new AssertionError(first);
        }
        return new Server(home);
    }

    /** Starts it if it does not run. */
    Address address() {
        return new EmbeddedPostgres(home, notice -> {}).address();
    }

    /** What a client on another machine would have in its INTERLOCK_STORE. */
    String url() {
        Address address = address();
        return url(URLEncoder.encode(address.password(), StandardCharsets.UTF_8), address.port());
    }

    static String url(String password, int port) {
        return "postgres://" + Address.USER + ":" + password + "@" + Address.HOST + ":" + port + "/" + Address.DATABASE;
    }

    long pid() {
        if (new EmbeddedPostgres(home, notice -> {}).status() instanceof Status.Running running) {
            return running.pid();
        }
        throw new AssertionError("There is no server in " + home);
    }

    Connection connect() throws SQLException {
        Address address = address();
        return DriverManager.getConnection(address.jdbcUrl(), Address.USER, address.password());
    }

    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One number; 0 when there is none. */
    long number(String sql) {
        try (Connection connection = connect()) {
            return number(sql, connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of every row. */
    List<String> texts(String sql) {
        try (Connection connection = connect()) {
            return texts(sql, connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<String> texts(String sql, Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static long number(String sql, Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The token of the living grant of this lock, 0 if nobody holds it. */
    long holder(String lock) {
        return number("SELECT token FROM interlock.record WHERE name = '" + lock + "' AND status = 'ACTIVE'");
    }

    /** @param kept since this is asked often and a connection costs more than the answer */
    static long waiting(String lock, Connection kept) {
        return number("SELECT count(*) FROM interlock.waiter WHERE name = '" + lock + "'", kept);
    }
}
