package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Style;
import dev.interlock.cli.output.Table;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

final class StoreStatus implements Command {
    @Override
    public void shape(Shape shape) {
        shape.output();
    }

    @Override
    public int run(Given given, Session session) {
        return session.answer(new Status(session.stores().state(session.address()), session.now()));
    }

    private record Status(StoreState state, Instant now) implements Answer {
        @Override
        public Data data() {
            Data.Fields fields = new Data.Fields()
                    .with("status", state.status())
                    .with("address", state.address())
                    .with("version", state.version());
            StoreState.Local local = state.local();
            return local == null
                    ? fields
                    : fields.with("home", text(local.home()))
                            .with("pid", local.pid())
                            .with("port", local.port())
                            .with("since", local.since())
                            .with("data", text(local.data()))
                            .with("bytes", local.bytes())
                            .with("log", text(local.log()));
        }

        private static @Nullable String text(@Nullable Path path) {
            return path == null ? null : path.toString();
        }

        @Override
        public String text(int columns, boolean colours) {
            Style style = state.status().equals("running") ? Style.GOOD : Style.PLAIN;
            Table table = Table.plain().row("Store", state.address()).row("Status", Table.cell(state.status(), style));
            add(table, "PostgreSQL", state.version());
            StoreState.Local local = state.local();
            if (local != null) {
                addLocal(table, local);
            }
            return table.render(columns, colours);
        }

        private void addLocal(Table table, StoreState.Local local) {
            Instant since = local.since();
            if (since != null) {
                table.row("Running since", Views.time(since) + " (" + Views.span(since, now) + ")");
            }
            add(table, "Process", local.pid());
            add(table, "Port", local.port());
            table.row("Home", local.home());
            add(table, "Data", local.data());
            Long bytes = local.bytes();
            if (bytes != null) {
                table.row("Size", (bytes + 1_048_575) / 1_048_576 + " MiB");
            }
            add(table, "Log", local.log());
        }

        private static void add(Table table, String label, @Nullable Object value) {
            if (value != null) {
                table.row(label, value);
            }
        }
    }
}
