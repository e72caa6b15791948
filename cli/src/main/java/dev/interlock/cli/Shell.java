package dev.interlock.cli;

/** Words of a command that is shown to be pasted. */
final class Shell {
    private Shell() {}

    static String quoted(String word) {
        for (int at = 0; at < word.length(); at++) {
            char c = word.charAt(at);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "/._-:@%+=,".indexOf(c) < 0) {
                return "'" + word.replace("'", "'\\''") + "'";
            }
        }
        return word.isEmpty() ? "''" : word;
    }
}
