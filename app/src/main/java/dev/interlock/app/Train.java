package dev.interlock.app;

import dev.interlock.cli.Interlock;
import dev.interlock.cli.Surroundings;
import dev.interlock.embedded.Address;
import dev.interlock.embedded.EmbeddedPostgres;
import dev.interlock.supervise.Exit;
import dev.interlock.supervise.Supervisor;
import java.nio.file.Path;
import java.util.BitSet;
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
        BitSet descriptors = Supervisor.descriptors();
        Warmup.start();
        RawArguments.of(arguments);
        Map<String, String> environment = System.getenv();
        commands(environment, descriptors);
        Map<String, String> remote = new HashMap<>(environment);
        remote.put("INTERLOCK_STORE", address(Path.of(environment.get("INTERLOCK_HOME"))));
        commands(remote, descriptors);
        Class.forName(Exit.class.getName()); // by which run ends; here the cache is written at an ordinary end
    }

    private static void commands(Map<String, String> environment, BitSet descriptors) {
        Surroundings here = Main.surroundings(environment, ThisTerminal.of(environment), descriptors);
        execute(here, "run", "--lock", LOCK, "--", "true");
        execute(here, "locks", "acquire", LOCK);
        execute(here, "locks", "list");
        execute(here, "locks", "list", "-o", "json");
        execute(here, "locks", "status", LOCK);
        execute(here, "run", "--lock", LOCK, "--", "true");
        execute(here, "locks", "release", LOCK, "--force", "--reason", "trained");
    }

    private static void execute(Surroundings here, String... words) {
        new Interlock(here).execute(words);
    }

    private static String address(Path home) {
        Address address = new EmbeddedPostgres(home, notice -> {}).address();
        return "postgres://" + Address.USER + ":" + address.password() + "@" + Address.HOST + ":" + address.port() + "/"
                + Address.DATABASE;
    }
}
