package dev.interlock.cli.output;

import dev.interlock.cli.text.Printable;
import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns. On a narrow terminal the widest columns give way; elsewhere nothing is ever cut. */
public final class Table {
    private static final int GAP = 2;
    private static final int NARROWEST = 8;

    public record Cell(String text, Style style) {}

    private final List<List<Cell>> rows = new ArrayList<>();

    /** Begins with a line of headings. */
    public static Table of(String... headings) {
        Table table = new Table();
        List<Cell> row = new ArrayList<>();
        for (String heading : headings) {
            row.add(new Cell(heading, Style.HEADING));
        }
        table.rows.add(row);
        return table;
    }

    /** Begins with nothing: for pairs of a label and a value. */
    public static Table plain() {
        return new Table();
    }

    public Table row(Object... cells) {
        List<Cell> row = new ArrayList<>();
        for (Object cell : cells) {
            Cell given = cell instanceof Cell styled ? styled : new Cell(cell.toString(), Style.PLAIN);
            row.add(new Cell(Printable.of(given.text()), given.style()));
        }
        rows.add(row);
        return this;
    }

    public static Cell cell(String text, Style style) {
        return new Cell(text, style);
    }

    /**
     * As lines.
     *
     * @param columns how wide the terminal is; 0 when it is none
     */
    public String render(int columns, boolean colours) {
        int[] widths = widths();
        if (columns > 0) {
            fit(widths, columns);
        }
        StringBuilder out = new StringBuilder();
        for (List<Cell> row : rows) {
            int padding = 0;
            for (int i = 0; i < row.size(); i++) {
                Cell cell = row.get(i);
                if (!cell.text().isEmpty()) {
                    String text = Printable.cut(cell.text(), widths[i]);
                    out.repeat(' ', padding).append(cell.style().paint(text, colours));
                    padding = -Printable.width(text);
                }
                padding += widths[i] + GAP;
            }
            out.append('\n');
        }
        return out.toString();
    }

    private int[] widths() {
        int count = 0;
        for (List<Cell> row : rows) {
            count = Math.max(count, row.size());
        }
        int[] widths = new int[count];
        for (List<Cell> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], Printable.width(row.get(i).text()));
            }
        }
        return widths;
    }

    private static void fit(int[] widths, int columns) {
        int total = GAP * (widths.length - 1);
        for (int width : widths) {
            total += width;
        }
        while (total > columns) {
            int widest = 0;
            for (int i = 1; i < widths.length; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            if (widths[widest] <= NARROWEST) {
                return;
            }
            widths[widest]--;
            total--;
        }
    }
}
