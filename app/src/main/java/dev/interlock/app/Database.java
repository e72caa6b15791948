package dev.interlock.app;

import dev.interlock.cli.UsageError;
import dev.interlock.embedded.Address;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/** How to connect to a database. */
final class Database {
    /** Names that psql and others know, for what the driver calls otherwise. */
    private static final Map<String, String> ALIASES = Map.of(
            "application_name", "ApplicationName",
            "connect_timeout", "connectTimeout",
            "target_session_attrs", "targetServerType");

    private Database() {}

    static PGSimpleDataSource at(Address address) {
        Warmup.awaitProviders();
        PGSimpleDataSource source = new DirectDataSource();
        source.setServerNames(new String[] {Address.HOST});
        source.setPortNumbers(new int[] {address.port()});
        source.setDatabaseName(Address.DATABASE);
        source.setUser(Address.USER);
        source.setPassword(address.password());
        source.setSslMode("disable");
        source.setGssEncMode("disable");
        source.setAssumeMinServerVersion("15"); // saves two round trips at each start
        source.setApplicationName("interlock");
        return source;
    }

    static PGSimpleDataSource at(StoreAddress address, Map<String, String> environment, Consumer<String> notices) {
        Warmup.awaitProviders();
        PGSimpleDataSource source = new DirectDataSource();
        String[] hosts = address.hosts().split(",", -1);
        String[] names = new String[hosts.length];
        int[] ports = new int[hosts.length];
        for (int i = 0; i < hosts.length; i++) {
            int colon = hosts[i].indexOf(':', hosts[i].indexOf(']') + 1);
            names[i] = colon < 0 ? hosts[i] : hosts[i].substring(0, colon);
            ports[i] = colon < 0 ? 5432 : Integer.parseInt(hosts[i].substring(colon + 1));
        }
        source.setServerNames(names);
        source.setPortNumbers(ports);
        source.setDatabaseName(address.database());
        String user = user(address, environment);
        source.setUser(user);
        source.setApplicationName("interlock");
        source.setConnectTimeout(10);
        source.setTcpKeepAlive(true);
        for (Map.Entry<String, String> parameter : address.parameters().entrySet()) {
            set(source, parameter.getKey(), parameter.getValue());
        }
        Secret password = password(address, environment, names[0], ports[0], user, notices);
        if (password == null) {
            // Without this the driver would look into the password file by itself, whoever can read it.
            System.setProperty("org.postgresql.pgpassfile", "/dev/null");
        } else {
            source.setPassword(password.revealed());
        }
        return source;
    }

    private static String user(StoreAddress address, Map<String, String> environment) {
        String user = address.user() == null ? environment.get("PGUSER") : address.user();
        return user == null || user.isEmpty() ? System.getProperty("user.name") : user;
    }

    private static @Nullable Secret password(
            StoreAddress address,
            Map<String, String> environment,
            String host,
            int port,
            String user,
            Consumer<String> notices) {
        if (address.password() != null) {
            return address.password();
        }
        String password = environment.get("PGPASSWORD");
        if (password != null && !password.isEmpty()) {
            return new Secret(password);
        }
        String file = environment.get("PGPASSFILE");
        Path path = file == null || file.isEmpty()
                ? Path.of(environment.getOrDefault("HOME", "/"), ".pgpass")
                : Path.of(file);
        return new PasswordFile(path, notices).find(host, Integer.toString(port), address.database(), user);
    }

    private static void set(PGSimpleDataSource source, String name, String value) {
        String known = ALIASES.getOrDefault(name, name);
        String meant = known.equals("targetServerType") && value.equals("read-write") ? "primary" : value;
        PGProperty property = PGProperty.forName(known);
        if (property == null) {
            throw new UsageError("The address of the store has a parameter '" + name + "' that nobody knows.");
        }
        source.setProperty(property, meant);
    }
}
