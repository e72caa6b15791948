package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Style;
import dev.interlock.cli.output.Table;
import dev.interlock.cli.text.Printable;
import dev.interlock.core.admission.Case;
import dev.interlock.core.admission.Consequence;
import dev.interlock.core.admission.Reason;
import dev.interlock.core.admission.Ruling;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every rule of admission, green or red, for somebody who would ask for this workflow now. */
record WhyWorkflow(Case of) implements Answer {
    @Override
    public Data data() {
        List<Data> rules = new ArrayList<>();
        for (Ruling ruling : of.explain()) {
            rules.add(new Data.Fields()
                    .with("rule", ruling.rule().code())
                    .with("blocks", ruling instanceof Ruling.Red)
                    .with("evidence", ruling.sentence())
                    .with("until", until(ruling)));
        }
        return new Data.Fields()
                .with("target", of.candidate().request().target())
                .with("workflow", of.candidate().request().workflow())
                .with("outcome", word(of.consequence()))
                .with("rules", rules);
    }

    @Override
    public String text(int columns, boolean colours) {
        Table table = Table.of("RULE", "VERDICT", "UNTIL", "EVIDENCE");
        for (Ruling ruling : of.explain()) {
            boolean blocks = ruling instanceof Ruling.Red;
            Instant until = until(ruling);
            table.row(
                    ruling.rule().label(),
                    blocks ? Table.cell("blocks", Style.BAD) : Table.cell("ok", Style.GOOD),
                    until == null ? "" : Views.time(until) + " (in " + Views.span(of.now(), until) + ")",
                    ruling.sentence());
        }
        return headline(colours) + table.render(columns, colours);
    }

    private String headline(boolean colours) {
        String asked = of.candidate().request().workflow() + " on '"
                + of.candidate().request().target() + "'";
        String verdict = switch (of.consequence()) {
            case Consequence.Start start -> Style.GOOD.paint("would start now", colours);
            case Consequence.Wait wait -> Style.WARN.paint("would wait", colours);
            case Consequence.Skip skip -> Style.BAD.paint("would be skipped", colours);
            case Consequence.Fail fail -> Style.BAD.paint("would be refused", colours);
        };
        return Printable.of(asked) + " " + verdict + ".\n";
    }

    private static String word(Consequence consequence) {
        return switch (consequence) {
            case Consequence.Start start -> "start";
            case Consequence.Wait wait -> "wait";
            case Consequence.Skip skip -> "skip";
            case Consequence.Fail fail -> "fail";
        };
    }

    private static @Nullable Instant until(Ruling ruling) {
        return ruling instanceof Ruling.Red(Reason reason) ? reason.ends().instant() : null;
    }
}
