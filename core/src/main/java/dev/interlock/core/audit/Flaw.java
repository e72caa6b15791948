package dev.interlock.core.audit;

/** One thing that is wrong with a trail: which event or seal, and what happened to it. */
public sealed interface Flaw {
    /** What people read. */
    String sentence();

    /** Something else is written there than when it was sealed. */
    record Changed(Event event, long seal) implements Flaw {
        @Override
        public String sentence() {
            return "Event " + described(event) + " was changed after seal " + seal + " was made.";
        }
    }

    record Missing(Position at, long seal) implements Flaw {
        @Override
        public String sentence() {
            return "Event " + at + " is missing; it was there when seal " + seal + " was made.";
        }
    }

    /** It claims to be older than a seal that does not know it. */
    record Inserted(Event event, long seal) implements Flaw {
        @Override
        public String sentence() {
            return "Event " + described(event) + " was inserted after seal " + seal + " was made.";
        }
    }

    record Reordered(Event event, Position was, long seal) implements Flaw {
        @Override
        public String sentence() {
            return "Event " + described(event) + " stood at " + was + " when seal " + seal + " was made.";
        }
    }

    record SealChanged(long number) implements Flaw {
        @Override
        public String sentence() {
            return "Seal " + number + " was changed after it was made.";
        }
    }

    record SealsMissing(long first, long last) implements Flaw {
        @Override
        public String sentence() {
            return first == last
                    ? "Seal " + first + " is missing."
                    : "Seals " + first + " to " + last + " are missing.";
        }
    }

    /** Their events are gone as if pruned, but the trail tells of no such pruning. */
    record NotPruned(long first, long last) implements Flaw {
        @Override
        public String sentence() {
            return "The events under " + (first == last ? "seal " + first : "seals " + first + " to " + last)
                    + " are gone, and no pruning is in the trail that removed them.";
        }
    }

    /** What somebody wrote down elsewhere is not what is here. */
    record AnotherChain(String expected) implements Flaw {
        @Override
        public String sentence() {
            return "No seal here has the hash " + expected + ".";
        }
    }

    private static String described(Event event) {
        return event.at() + " (" + event.event() + " of '" + event.target() + "', token " + event.token() + ")";
    }
}
