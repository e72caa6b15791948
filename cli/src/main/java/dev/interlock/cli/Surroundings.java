package dev.interlock.cli;

import dev.interlock.core.Identity;
import dev.interlock.core.Ports;
import dev.interlock.supervise.Supervisor;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * All that the command does not make itself.
 *
 * @param identity always the same, made when it is first needed: its random part takes milliseconds
 * @param supervisor makes the one who supervises commands, given what to do with a signal that comes before the start
 */
public record Surroundings(
        Stores stores,
        Services services,
        Terminal terminal,
        Supplier<Identity> identity,
        Ports ports,
        InstantSource clock,
        Function<IntConsumer, Supervisor> supervisor) {}
