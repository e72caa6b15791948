package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Format;
import dev.interlock.core.Identity;
import dev.interlock.core.LockStore;
import dev.interlock.core.Ports;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.work.WorkStores;
import dev.interlock.supervise.Supervisor;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One run of one command: the store it talks to, its answer and its talk. */
final class Session implements AutoCloseable {
    private final Surroundings here;
    private final @Nullable String address;
    private final Format format;
    private final Talk talk;
    private final Leaving leaving = new Leaving();
    private int signal;
    private @Nullable CompletableFuture<LockStore> opening;
    private @Nullable LockStore store;
    private @Nullable WorkStores work;

    Session(Surroundings here, Given given) {
        this.here = here;
        this.address = given.text(Shape.STORE);
        this.format = given.format();
        this.talk = new Talk(here.terminal().err(), given.has(Shape.QUIET));
    }

    /** Opened when it is first needed, so that what needs none works without. */
    LockStore store() {
        if (store == null) {
            store = opening == null ? open() : opened(opening);
        }
        return store;
    }

    /** Begins to open the store, for a command that has something else to do until it needs it. */
    void openStore() {
        opening = CompletableFuture.supplyAsync(
                this::open,
                task -> Thread.ofPlatform().daemon().name("interlock-open").start(task));
    }

    private LockStore open() {
        return here.stores().open(address, talk::say);
    }

    private static LockStore opened(CompletableFuture<LockStore> opening) {
        try {
            return opening.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw e;
        }
    }

    /** What keeps executions; only some kinds of store do. */
    WorkStores work() {
        if (work == null) {
            work = here.stores().work(address, talk::say);
        }
        return work;
    }

    /** For the caller to close. */
    AuditTrail audit() {
        return here.stores().audit(address, talk::say);
    }

    Stores stores() {
        return here.stores();
    }

    Services services() {
        return here.services();
    }

    @Nullable String address() {
        return address;
    }

    Identity identity() {
        return here.identity().get();
    }

    Ports ports() {
        return here.ports();
    }

    Instant now() {
        return here.clock().instant();
    }

    Terminal terminal() {
        return here.terminal();
    }

    Format format() {
        return format;
    }

    Talk talk() {
        return talk;
    }

    Leaving leaving() {
        return leaving;
    }

    Supervisor supervisor() {
        return here.supervisor().apply(signalNumber -> {
            leaving.leave();
            dev.interlock.supervise.Exit.by(signalNumber);
        });
    }

    /** This process is to end of the signal of which its command died. */
    int dieOf(int number) {
        signal = number;
        return 128 + number;
    }

    Outcome outcome(int code) {
        return new Outcome(code, signal);
    }

    int say(int code, String sentence) {
        if (code == Exit.OK) {
            talk.say(sentence);
        } else {
            talk.complain(sentence);
        }
        return code;
    }

    int answer(Answer answer) {
        here.terminal()
                .out()
                .print(answer.in(
                        format, here.terminal().columnsOut(), here.terminal().coloursOut()));
        return Exit.OK;
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
        } else if (opening != null) {
            var _ = opening.thenAccept(LockStore::close);
        }
        if (work != null) {
            work.close();
        }
    }
}
