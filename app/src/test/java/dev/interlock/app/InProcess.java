package dev.interlock.app;

import dev.interlock.cli.Interlock;
import dev.interlock.cli.Outcome;
import dev.interlock.cli.Surroundings;
import dev.interlock.cli.Terminal;
import dev.interlock.core.Identity;
import dev.interlock.core.Ports;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.supervise.Supervisor;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;

/** The command on real stores, in this process: quicker than one of its own, and the same from its words to its answer. */
final class InProcess {
    /** What a command left behind. */
    record Said(int code, String out, String err) {}

    private InProcess() {}

    static Said run(Map<String, String> environment, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Ports ports = SystemPorts.create();
        Identity tester = new Identity("test-pc:1:aa", "tester");
        ConfiguredStores stores = new ConfiguredStores(environment, ports);
        Surroundings here = new Surroundings(
                stores,
                new OwnServices(stores, () -> tester, ports, environment),
                new Terminal(stream(out), stream(err), false, false, 0, false),
                () -> tester,
                ports,
                InstantSource.system(),
                beforeStart -> Supervisor.embedded());
        Outcome outcome = new Interlock(here).execute(words);
        return new Said(outcome.code(), out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
