package dev.interlock.core;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What somebody probably meant. */
public final class Nearest {
    private static final int FURTHEST = 2;

    /** Comparing takes time and room by the product of both lengths; nobody misspells a word that long. */
    private static final int LONGEST = LockName.MAX_LENGTH;

    private Nearest() {}

    /** The word with the fewest changes of a letter, however it is capitalised; of equals the first; null of none. */
    public static @Nullable String to(String wrong, Collection<String> words) {
        String nearest = null;
        int fewest = Integer.MAX_VALUE;
        for (String word : words) {
            int changes = changes(wrong, word);
            if (changes < fewest) {
                fewest = changes;
                nearest = word;
            }
        }
        return nearest;
    }

    /** The same, but only when it is at most two letters, and less than half of it, away: for words without number. */
    public static @Nullable String likely(String wrong, Collection<String> words) {
        return to(wrong, words.stream().filter(word -> isLikely(wrong, word)).toList());
    }

    private static boolean isLikely(String wrong, String word) {
        int changes = changes(wrong, word);
        return changes <= FURTHEST && 2 * changes < word.length();
    }

    /** The end of a sentence about a wrong word: the nearest of the right ones, if there are any. */
    public static String hint(String wrong, Collection<String> words) {
        String nearest = to(wrong, words);
        return nearest == null ? "." : "; the nearest is '" + nearest + "'.";
    }

    /** Letters put in, left out or replaced, and neighbours that changed places. */
    private static int changes(String wrong, String word) {
        if (wrong.length() > LONGEST || word.length() > LONGEST) {
            return Integer.MAX_VALUE;
        }
        String one = wrong.toUpperCase(Locale.ROOT);
        String other = word.toUpperCase(Locale.ROOT);
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
