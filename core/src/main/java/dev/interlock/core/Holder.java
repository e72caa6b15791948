package dev.interlock.core;

/**
 * Who holds a lock or waits for it. Two requests are the same holder when execution, attempt and owner agree: then the
 * second one gets back what the first was granted.
 *
 * @param execution what the lock is held for, unique for each piece of work, never for a process or a thread
 * @param attempt which try at that execution, from 1
 * @param owner the process instance: host, process id and a random part, joined by colons
 * @param user the person or service on whose behalf it runs
 */
public record Holder(String execution, int attempt, String owner, String user) {
    private static final int MAX_LENGTH = 256;

    public Holder {
        check("execution", execution);
        check("owner", owner);
        check("user", user);
        if (attempt < 1) {
            throw new IllegalArgumentException("Attempts are counted from 1, not from " + attempt + ".");
        }
    }

    private static void check(String what, String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("The holder's " + what + " must not be empty.");
        }
        Text.checkLine("The holder's " + what, text, MAX_LENGTH);
    }

    /** The machine, as far as the owner names one. */
    public String host() {
        int colon = owner.indexOf(':');
        return colon < 0 ? owner : owner.substring(0, colon);
    }
}
