package dev.interlock.core.lifecycle;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What somebody probably meant. */
final class Nearest {
    private Nearest() {}

    /** The word with the fewest changes of a letter, however it is capitalised; of equals the first; null of none. */
    static @Nullable String to(String wrong, Collection<String> words) {
        String nearest = null;
        int fewest = Integer.MAX_VALUE;
        for (String word : words) {
            int changes = changes(wrong.toUpperCase(Locale.ROOT), word.toUpperCase(Locale.ROOT));
            if (changes < fewest) {
                fewest = changes;
                nearest = word;
            }
        }
        return nearest;
    }

    /** Letters put in, left out or replaced, and neighbours that changed places. */
    private static int changes(String one, String other) {
        int[][] cost = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, one, other, i, j);
            }
        }
        return cost[one.length()][other.length()];
    }

    private static int cheapest(int[][] cost, String one, String other, int i, int j) {
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int best = Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
