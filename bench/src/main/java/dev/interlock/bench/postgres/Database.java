package dev.interlock.bench.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One database, named by its JDBC URL, which carries the credentials too. */
public record Database(String url) {
    private static final Pattern URL = Pattern.compile("(jdbc:postgresql://[^/]+/)([^?]*)(.*)");
    private static final Pattern PASSWORD = Pattern.compile("\\bpassword=([^&]*)&?");

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** A pool filled before it is handed out, so that no measurement pays for connecting. */
    public HikariDataSource pool(int size) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        config.setConnectionTimeout(60_000);
        var pool = new HikariDataSource(config);
        while (pool.getHikariPoolMXBean().getTotalConnections() < size) {
            LockSupport.parkNanos(1_000_000);
        }
        return pool;
    }

    public void run(String... statements) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** The address as command-line tools take it; the password is apart, for others can read a command line. */
    public String address() {
        return url.replaceFirst("jdbc:postgresql", "postgres")
                .replaceFirst(PASSWORD.pattern(), "")
                .replaceFirst("[?&]$", "");
    }

    public Optional<String> password() {
        return PASSWORD.matcher(url).results().map(found -> found.group(1)).findFirst();
    }

    /** Another database of the same server, reached with the same credentials. */
    Database sibling(String name) {
        var url = parts();
        return new Database(url.group(1) + name + url.group(3));
    }

    String name() {
        return parts().group(2);
    }

    private Matcher parts() {
        var parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Not of the form jdbc:postgresql://host:port/database?user=…: " + url);
        }
        return parts;
    }
}
