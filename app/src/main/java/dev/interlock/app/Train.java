package dev.interlock.app;

import dev.interlock.cli.Interlock;
import dev.interlock.cli.Terminal;
import dev.interlock.embedded.Address;
import dev.interlock.embedded.EmbeddedPostgres;
import dev.interlock.supervise.Exit;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs the usual commands in one JVM, for the AOT cache to hold what they load and no more: each megabyte of it costs a
 * millisecond at every start. The store in {@code INTERLOCK_HOME} runs already, since starting it is not usual.
 */
public final class Train {
    private static final String LOCK = "train";

    private Train() {}

    public static void main(String[] arguments) throws ClassNotFoundException {
        Warmup.start();
        RawArguments.of(arguments);
        Map<String, String> environment = System.getenv();
        commands(environment);
        Map<String, String> remote = new HashMap<>(environment);
        remote.put("INTERLOCK_STORE", address(Path.of(environment.get("INTERLOCK_HOME"))));
        commands(remote);
        Class.forName(Exit.class.getName()); // by which run ends; here the cache is written at an ordinary end
    }

    private static void commands(Map<String, String> environment) {
        Terminal terminal = ThisTerminal.of(environment);
        execute(environment, terminal, "run", "--lock", LOCK, "--", "true");
        execute(environment, terminal, "locks", "acquire", LOCK);
        execute(environment, terminal, "locks", "list");
        execute(environment, terminal, "locks", "list", "-o", "json");
        execute(environment, terminal, "locks", "status", LOCK);
        execute(environment, terminal, "run", "--lock", LOCK, "--", "true");
        execute(environment, terminal, "locks", "release", LOCK, "--force", "--reason", "trained");
    }

    private static void execute(Map<String, String> environment, Terminal terminal, String... words) {
        new Interlock(Main.surroundings(environment, terminal)).execute(words);
    }

    private static String address(Path home) {
        Address address = new EmbeddedPostgres(home, notice -> {}).address();
        return "postgres://" + Address.USER + ":" + address.password() + "@" + Address.HOST + ":" + address.port() + "/"
                + Address.DATABASE;
    }
}
