package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.Table;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Waiter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class LocksStatus implements Command {
    @Override
    public void shape(Shape shape) {
        shape.name().output();
    }

    @Override
    public int run(Given given, Session session) {
        LockName name = given.name();
        Optional<Lock> lock = session.store().find(name);
        if (lock.isEmpty()) {
            if (session.format() != Format.TABLE) {
                session.answer(new Unknown(name));
            }
            return session.say(Exit.OK, "Lock '" + name + "' is free: nobody has held it yet.");
        }
        List<Waiter> queue =
                lock.get().waiting() == 0 ? List.of() : session.store().waiters(name);
        return session.answer(new Known(lock.get(), queue));
    }

    private record Unknown(LockName name) implements Answer {
        @Override
        public Data data() {
            return new Data.Fields().with("name", name.value()).with("status", (String) null);
        }

        @Override
        public String text(int columns, boolean colours) {
            return "";
        }
    }

    private record Known(Lock lock, List<Waiter> queue) implements Answer {
        @Override
        public Data data() {
            return Views.data(lock).with("queue", Queue.data(queue));
        }

        @Override
        public String text(int columns, boolean colours) {
            Table table = Table.plain()
                    .row("Lock", lock.name())
                    .row("Status", Views.status(lock))
                    .row("Token", lock.token())
                    .row("Holder", Views.who(lock.holder()))
                    .row("Execution", Views.execution(lock.holder()))
                    .row("Owner", lock.holder().owner())
                    .row("Held since", ago(lock.grant().acquiredAt()))
                    .row("Renewed", ago(lock.grant().renewedAt()));
            switch (lock.status()) {
                case ACTIVE, RELEASING ->
                    table.row("Lease until", ahead(lock.grant().expiresAt()));
                case EXPIRED -> table.row("Lease ended", ago(lock.grant().expiresAt()));
                case RELEASED -> {} // the history tells when
            }
            addExceptions(table);
            table.row("Waiting", lock.waiting());
            String queued = queue.isEmpty()
                    ? ""
                    : "\n" + Queue.table(queue, lock.seenAt()).render(columns, colours);
            return table.render(columns, colours) + queued;
        }

        private void addExceptions(Table table) {
            var maintenance = lock.grant().maintenance();
            if (maintenance != null) {
                String ticket = maintenance.ticket() == null ? "" : " [" + maintenance.ticket() + "]";
                table.row("Maintenance", maintenance.reason() + ticket);
            }
            var forced = lock.grant().forced();
            if (forced != null) {
                table.row("Forced", "by " + forced.actor() + ": " + forced.reason());
            }
            Instant closedUntil = lock.closedUntil();
            if (closedUntil != null) {
                table.row("Closed until", ahead(closedUntil));
            }
        }

        private String ago(Instant instant) {
            return Views.time(instant) + " (" + Views.span(instant, lock.seenAt()) + " ago)";
        }

        private String ahead(Instant instant) {
            return Views.time(instant) + " (in " + Views.span(lock.seenAt(), instant) + ")";
        }
    }
}
