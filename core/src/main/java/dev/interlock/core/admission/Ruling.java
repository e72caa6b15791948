package dev.interlock.core.admission;

/** What one rule says. All of them together answer why somebody would be refused. */
public sealed interface Ruling {
    Rule rule();

    /** What the rule goes by. */
    String sentence();

    record Green(Rule rule, String sentence) implements Ruling {}

    record Red(Reason reason) implements Ruling {
        @Override
        public Rule rule() {
            return reason.rule();
        }

        @Override
        public String sentence() {
            return reason.sentence();
        }
    }
}
