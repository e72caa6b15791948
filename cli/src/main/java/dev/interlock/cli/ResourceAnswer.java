package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Table;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.ResourceStore.Kept;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * One resource.
 *
 * @param shown also to people; they are told in a sentence otherwise
 */
record ResourceAnswer(Kept kept, boolean shown) implements Answer {
    static Data.Fields data(Kept kept) {
        Data.Fields fields = new Data.Fields();
        new TreeMap<>(kept.fields()).forEach(fields::with);
        return new Data.Fields()
                .with("target", kept.target().value())
                .with("lifecycle", kept.resource().lifecycle().name())
                .with("state", kept.resource().state())
                .with("execution", kept.resource().under())
                .with("fields", fields)
                .with("registered_at", kept.registeredAt())
                .with("expires_at", kept.expiresAt());
    }

    @Override
    public Data data() {
        return data(kept).with("allowed", DeclaredViews.texts(allowed()));
    }

    /** What may be asked for in this state. */
    private List<String> allowed() {
        Resource resource = kept.resource();
        List<String> allowed = new ArrayList<>();
        for (Step step : resource.lifecycle().declaration().steps()) {
            if (resource.allows(step.name().text(), null)) {
                allowed.add(step.name().text());
            }
        }
        return allowed;
    }

    @Override
    public String text(int columns, boolean colours) {
        if (!shown) {
            return "";
        }
        Resource resource = kept.resource();
        Table table = Table.plain()
                .row("Resource", kept.target())
                .row("Lifecycle", resource.lifecycle().name())
                .row("State", resource.state());
        if (resource.under() != null) {
            table.row("Execution", resource.under());
        }
        table.row("Allowed", allowed().isEmpty() ? "-" : String.join(", ", allowed()))
                .row("Registered", Views.time(kept.registeredAt()))
                .row("Lives until", kept.expiresAt() == null ? "-" : Views.time(kept.expiresAt()));
        new TreeMap<>(kept.fields()).forEach((name, value) -> table.row("Field " + name, value));
        return table.render(columns, colours);
    }
}
