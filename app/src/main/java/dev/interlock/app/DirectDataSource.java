package dev.interlock.app;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.HostSpec;

/**
 * Makes the connection itself. The usual way looks for drivers in every jar first, and the driver then for files with
 * defaults, by reflection: together 20 ms at each start.
 */
final class DirectDataSource extends PGSimpleDataSource {
    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        Properties login = new Properties();
        if (user != null) {
            login.setProperty("user", user);
        }
        if (password != null) {
            login.setProperty("password", password);
        }
        Connection connection = getLoginTimeout() == 0 ? direct(login) : new Driver().connect(getUrl(), login);
        if (connection == null) {
            throw strange();
        }
        return connection;
    }

    private Connection direct(Properties login) throws SQLException {
        Properties settings = Driver.parseURL(getUrl(), login);
        if (settings == null) {
            throw strange();
        }
        String[] names = getServerNames();
        int[] ports = getPortNumbers();
        HostSpec[] hosts = new HostSpec[names.length];
        for (int i = 0; i < hosts.length; i++) {
            hosts[i] = new HostSpec(names[i], ports[i], getLocalSocketAddress());
        }
        return new PgConnection(hosts, settings, getUrl());
    }

    private SQLException strange() {
        return new SQLException("The driver does not know its own address " + getUrl());
    }
}
