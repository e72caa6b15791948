package dev.interlock.core.janitor;

/** What became of a finding. */
public sealed interface Deed {
    Finding finding();

    /**
     * It was put right, or told.
     *
     * @param outcome what there is now that was not before
     */
    record Done(Finding finding, String outcome) implements Deed {}

    /** By the time its rows were ours the world had moved on: nothing was to be done. */
    record Moot(Finding finding) implements Deed {}

    /** It could not be put right; it is tried again later. */
    record Failed(Finding finding, String cause) implements Deed {}

    default String sentence() {
        return switch (this) {
            case Done(Finding finding, String outcome) ->
                outcome.isEmpty() ? finding.sentence() : finding.sentence() + " " + outcome;
            case Moot(Finding finding) -> "No more: " + finding.sentence();
            case Failed(Finding finding, String cause) -> finding.sentence() + " That failed: " + cause;
        };
    }
}
