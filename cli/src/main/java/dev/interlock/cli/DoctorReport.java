package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.Style;
import dev.interlock.cli.text.Printable;
import java.util.ArrayList;
import java.util.List;

/** Shows each finding as soon as it is there, unless a program reads them. */
final class DoctorReport implements Answer {
    private final Session session;
    private final List<Finding> findings = new ArrayList<>();

    DoctorReport(Session session) {
        this.session = session;
    }

    void add(Finding finding) {
        findings.add(finding);
        if (session.format() == Format.TABLE) {
            session.terminal().out().print(line(finding, session.terminal().coloursOut()));
            session.terminal().out().flush();
        }
    }

    int finish() {
        session.answer(this);
        for (Finding finding : findings) {
            if (finding.level() == Finding.Level.FAIL) {
                return Exit.FAILED;
            }
        }
        return Exit.OK;
    }

    private static String line(Finding finding, boolean colours) {
        Style style = switch (finding.level()) {
            case OK -> Style.GOOD;
            case WARN -> Style.WARN;
            case FAIL -> Style.BAD;
        };
        String word = finding.level().word();
        String line = style.paint(word, colours) + " ".repeat(6 - word.length()) + finding.check() + ": "
                + Printable.of(finding.text()) + "\n";
        return finding.advice() == null ? line : line + "      " + Printable.of(finding.advice()) + "\n";
    }

    @Override
    public String text(int columns, boolean colours) {
        return "";
    }

    @Override
    public Data data() {
        List<Data> checks = new ArrayList<>();
        for (Finding finding : findings) {
            checks.add(new Data.Fields()
                    .with("check", finding.check())
                    .with("level", finding.level().word())
                    .with("text", finding.text())
                    .with("advice", finding.advice()));
        }
        return new Data.Fields().with("checks", checks);
    }
}
