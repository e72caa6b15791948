package dev.interlock.app;

import dev.interlock.cli.Interlock;
import dev.interlock.cli.Outcome;
import dev.interlock.cli.Stores;
import dev.interlock.cli.Surroundings;
import dev.interlock.cli.Terminal;
import dev.interlock.core.Holder;
import dev.interlock.core.Identity;
import dev.interlock.core.Ports;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.system.ThisProcess;
import dev.interlock.supervise.Exit;
import dev.interlock.supervise.Supervisor;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** The {@code interlock} command as a process. */
public final class Main {
    private static final int USAGE = 64;
    private static boolean supervising;

    private Main() {}

    public static void main(String[] arguments) {
        BitSet descriptors = Supervisor.descriptors();
        Warmup.start();
        Map<String, String> environment = System.getenv();
        Terminal terminal = ThisTerminal.of(environment);
        Surroundings here;
        try {
            here = surroundings(environment, terminal, descriptors);
        } catch (IllegalArgumentException e) {
            terminal.err().println("interlock: INTERLOCK_USER does not work: " + e.getMessage());
            terminal.err().flush();
            System.exit(USAGE);
            return;
        }
        end(new Interlock(here).execute(RawArguments.of(arguments)));
    }

    static Surroundings surroundings(Map<String, String> environment, Terminal terminal, BitSet descriptors) {
        Ports ports = SystemPorts.create();
        Supplier<Identity> identity = identity(environment);
        Stores stores = new ConfiguredStores(environment, ports);
        return new Surroundings(
                stores,
                new OwnServices(stores, identity, ports, environment),
                terminal,
                identity,
                ports,
                InstantSource.system(),
                beforeStart -> launcher(descriptors, beforeStart));
    }

    private static Supplier<Identity> identity(Map<String, String> environment) {
        String user = environment.getOrDefault("INTERLOCK_USER", "");
        if (user.isEmpty()) {
            return () -> Self.IDENTITY;
        }
        Holder valid = new Holder("any", 1, "any", user);
        return () -> new Identity(Self.IDENTITY.owner(), valid.user());
    }

    private static final class Self {
        static final Identity IDENTITY = ThisProcess.identity();
    }

    private static Supervisor launcher(BitSet descriptors, IntConsumer beforeStart) {
        Supervisor supervisor = Supervisor.launcher(descriptors, beforeStart);
        supervising = true;
        return supervisor;
    }

    /** A process that supervises has threads in native calls, for which an ordinary exit would wait in vain. */
    private static void end(Outcome outcome) {
        if (outcome.signal() != 0) {
            Exit.by(outcome.signal());
        } else if (supervising) {
            Exit.with(outcome.code());
        } else {
            // What was to be given back has been; and System.exit would look for a logger first, for 5 ms.
            System.out.flush();
            System.err.flush();
            Runtime.getRuntime().halt(outcome.code());
        }
    }
}
