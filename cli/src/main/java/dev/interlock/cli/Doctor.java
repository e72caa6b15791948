package dev.interlock.cli;

import dev.interlock.core.DurationText;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

final class Doctor implements Command {
    private static final Duration CLOSE = Duration.ofMillis(10);
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);
    private static final Duration SLOW = Duration.ofMillis(100);

    @Override
    public void shape(Shape shape) {
        QueueOption.on(shape, "Also look at the queue through which workers are woken, and at its dead letters.")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        String queue = QueueOption.of(given);
        DoctorReport report = new DoctorReport(session);
        report.add(Finding.ok("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version")));
        report.add(supervision(session));
        try {
            RoundTrip trip = RoundTrip.measure(session.store(), session);
            report.add(Finding.ok("store", session.stores().describe(session.address()) + " answers"));
            session.stores().examine(session.address(), report::add);
            report.add(latency(trip));
            if (trip != null) {
                report.add(clock(trip.ahead()));
            }
        } catch (StoreUnavailable e) {
            report.add(
                    Finding.fail("store", String.valueOf(e.getMessage()), "Nothing can be locked until it answers."));
        }
        if (queue != null) {
            session.services().examineQueue(queue, report::add);
        }
        return report.finish();
    }

    /** Starts a guard, as every run does, so that what is said here has been tried. */
    private static Finding supervision(Session session) {
        try {
            return Finding.ok("supervision", session.supervisor().mechanism());
        } catch (UnsupportedOperationException | IllegalStateException e) {
            return Finding.fail(
                    "supervision",
                    String.valueOf(e.getMessage()),
                    "Here interlock run starts nothing; the rest works.");
        }
    }

    private static Finding latency(@Nullable RoundTrip trip) {
        if (trip == null) {
            return Finding.warn("round trip", "another doctor is at work, so nothing was measured", "Try again.");
        }
        String text = "acquire and release take " + DurationText.show(trip.took());
        return trip.took().compareTo(SLOW) <= 0
                ? Finding.ok("round trip", text)
                : Finding.warn(
                        "round trip", text, "Leases need a store that answers quickly: look at network and disk.");
    }

    private static Finding clock(Duration ahead) {
        Duration off = ahead.abs();
        if (off.compareTo(CLOSE) < 0) {
            return Finding.ok("clock", "the store's clock and this machine's agree");
        }
        String text = "the store's clock is " + DurationText.show(off) + (ahead.isNegative() ? " behind" : " ahead of")
                + " this machine's";
        return off.compareTo(CLOCK_TOLERANCE) <= 0
                ? Finding.ok("clock", text)
                : Finding.warn(
                        "clock",
                        text,
                        "Leases do not depend on it, only times in messages do. Let both follow a time server.");
    }
}
