package dev.interlock.core.work;

import dev.interlock.core.Wording;
import dev.interlock.core.lifecycle.Catalogue;
import java.util.List;

/** What is declared, for everybody who decides. */
public interface CatalogueStore {
    /** The answer to whoever publishes: all of it or nothing. */
    sealed interface Publication {
        /**
         * It is in force.
         *
         * @param changes what was added or changed, one sentence each; empty when everything was there already
         */
        record Published(List<String> changes) implements Publication {
            public Published {
                changes = List.copyOf(changes);
            }
        }

        /** A resource is in a state that the lifecycle would not have any more. */
        record Stranding(String lifecycle, String state, String target) implements Publication {}

        /** Two resources would have the same name by the new rule. */
        record SameName(String lifecycle, String target, String other) implements Publication {}

        default String sentence() {
            return switch (this) {
                case Published(List<String> changes) when changes.isEmpty() -> "Nothing has changed.";
                case Published(List<String> changes) -> String.join(" ", changes);
                case Stranding(String lifecycle, String state, String target) ->
                    "Refused: resource '" + target + "' is in state '" + state + "', which lifecycle '" + lifecycle
                            + "' would not have any more. Keep the state until no resource is in it. See: interlock"
                            + " resources list --lifecycle " + Wording.quoted(lifecycle) + " --state "
                            + Wording.quoted(state);
                case SameName(String lifecycle, String target, String other) ->
                    "Refused: by the new rule of lifecycle '" + lifecycle + "' the resources '" + target + "' and '"
                            + other + "' would have the same name.";
            };
        }
    }

    /**
     * Adds these declarations; one with the same name is replaced. What did not change is not written. Whoever moves a
     * resource goes by the lifecycle as it was before or as it is after, never by both.
     */
    Publication publish(Catalogue declared, String by);

    Catalogue catalogue();
}
