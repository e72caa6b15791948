package dev.interlock.cli;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The word that somebody may have meant: at most two letters, and less than half of it, away from what they typed. */
final class Nearest {
    private static final int FURTHEST = 2;

    private Nearest() {}

    static @Nullable String to(String typed, Collection<String> known) {
        String nearest = null;
        int least = FURTHEST + 1;
        for (String word : known) {
            int distance = distance(typed, word);
            if (distance < least && 2 * distance < word.length()) {
                least = distance;
                nearest = word;
            }
        }
        return nearest;
    }

    /** Letters to add, to leave out or to replace. */
    private static int distance(String a, String b) {
        int[] last = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
            }
            last = row;
        }
        return last[b.length()];
    }
}
