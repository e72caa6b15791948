package dev.interlock.cli;

import dev.interlock.core.DurationText;
import dev.interlock.core.HeldSet;
import dev.interlock.core.Locks;
import dev.interlock.core.Refusal;
import dev.interlock.core.SetAttempt;
import dev.interlock.core.Settings;
import dev.interlock.supervise.Supervisor;
import java.time.Duration;

final class Run implements Command {
    @Override
    public void shape(Shape shape) {
        shape.repeatable("--lock", "NAME", "The lock to hold; repeat it to hold several, all or none.");
        Limits.shapeWait(shape);
        shape.option(
                        "--ttl",
                        "DURATION",
                        "The lease: for how long others are kept out when this machine dies. Renewed all the time while"
                                + " the command runs. From 5s. Default: 30s.")
                .option(
                        "--grace",
                        "DURATION",
                        "How long the command may take to end when it must stop (SIGTERM), before it is killed. Default: a"
                                + " sixth of the lease, at most 10s.")
                .option(
                        "--timeout",
                        "DURATION",
                        "Stop the command when it has run that long; the exit code is then 143, or 137 if it had to be"
                                + " killed. Default: no limit.");
        Limits.shapeTerms(shape);
        shape.option("--execution", "ID", "What the lock is held for, e.g. the id of a CI job. Default: a random one.")
                .option("--attempt", "N", "Which try at that execution, from 1. Default: 1.")
                .option("--busy-exit-code", "N", "Exit with this code instead of 75 when the lock is refused.")
                .flag(
                        "Say what happens, and which mechanism keeps the command from outliving its lease.",
                        "-v",
                        "--verbose")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) throws InterruptedException {
        RunPlan plan = RunPlan.of(given);
        session.openStore(); // while the supervisor and its guard are made, which takes as long
        Supervisor supervisor;
        try {
            supervisor = session.supervisor();
        } catch (UnsupportedOperationException e) {
            return session.say(Exit.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
        if (plan.verbose()) {
            session.talk().say(supervisor.mechanism());
        }
        Locks locks = new Locks(session.store(), session.identity(), Settings.DEFAULT, session.ports());
        session.leaving().giveBack(locks);
        try {
            return switch (ask(locks, plan, session)) {
                case SetAttempt.Acquired(HeldSet held) -> new Supervision(session, plan, locks, held).run(supervisor);
                case SetAttempt.NotAcquired(Refusal refusal) -> {
                    locks.close();
                    yield refused(refusal, plan, session);
                }
            };
        } finally {
            session.leaving().done();
        }
    }

    private static SetAttempt ask(Locks locks, RunPlan plan, Session session) throws InterruptedException {
        long start = session.ports().ticker().nanos();
        SetAttempt attempt;
        try (WaitingLine line = new WaitingLine(session)) {
            attempt = locks.tryAcquireAll(plan.names(), plan.options().tellingQueued(line));
        }
        if (plan.verbose() && attempt instanceof SetAttempt.Acquired(HeldSet held)) {
            Duration took = Duration.ofNanos(session.ports().ticker().nanos() - start);
            held.locks()
                    .forEach(lock -> session.talk()
                            .say("Acquired lock '" + lock.name() + "' with token " + lock.token() + " after "
                                    + DurationText.show(took) + "."));
        }
        return attempt;
    }

    private static int refused(Refusal refusal, RunPlan plan, Session session) {
        int code = Refusals.code(refusal);
        session.talk().complain(refusal.sentence());
        return code == Exit.REFUSED ? plan.busyExitCode() : code;
    }
}
