package dev.interlock.supervise;

import java.time.Duration;
import java.util.Arrays;

/** What {@code interlock run} does, without a store: {@code java -Dlease=ms -Dgrace=ms Launcher … -- COMMAND}. */
final class Launcher {
    private static final int LEASE_LOST = 79;
    private static final Duration LEASE = Duration.ofMillis(Integer.getInteger("lease", 6000));

    private Launcher() {}

    public static void main(String[] args) throws InterruptedException {
        Supervisor supervisor = Supervisor.launcher(Supervisor.descriptors(), Exit::by);
        Command command = Command.ofArguments(args, Arrays.asList(args).indexOf("--") + 1)
                .with("INTERLOCK_LOCK", "prod/café")
                .without("INTERLOCK_PASSWORD")
                .grace(Duration.ofMillis(Integer.getInteger("grace", 500)));
        if (args[0].equals("--verbose")) {
            System.err.println(supervisor.mechanism());
        }
        if (args[0].equals("--wait")) {
            System.out.println("waiting");
            Thread.sleep(Duration.ofMinutes(1));
        }

        Supervised run = supervisor.start(command, BootTime.now().plus(LEASE));
        if (!args[0].equals("--no-renewal")) {
            renew(run);
        }
        Ended ended = run.waitFor();
        switch (ended) {
            case Ended.NotStarted why -> System.err.println(why.sentence());
            case Ended.Exited exited
            when exited.aftermath().leftBehind() > 0 ->
                System.err.println("left behind: " + exited.aftermath().leftBehind());
            case Ended.Exited exited -> {}
            case Ended.Signalled signalled -> {}
        }
        if (ended.aftermath().late()) {
            Exit.with(LEASE_LOST);
        }
        Exit.as(ended);
    }

    private static void renew(Supervised run) {
        Thread renewals = new Thread(
                () -> {
                    while (true) {
                        try {
                            Thread.sleep(LEASE.dividedBy(4));
                        } catch (InterruptedException over) {
                            return;
                        }
                        run.aliveUntil(BootTime.now().plus(LEASE));
                    }
                },
                "renewals");
        renewals.setDaemon(true);
        renewals.start();
    }
}
