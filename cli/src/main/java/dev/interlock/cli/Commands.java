package dev.interlock.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every command by its words. Only the one that is called gets built. */
final class Commands {
    /** In the order of the help page. */
    static final List<String> PATHS = List.of(
            "run",
            "locks list",
            "locks status",
            "locks acquire",
            "locks renew",
            "locks release",
            "locks history",
            "locks hold",
            "locks cancel-wait",
            "why",
            "store status",
            "store stop",
            "store upgrade",
            "store prune",
            "doctor",
            "completion",
            "version",
            "help");

    private Commands() {}

    static boolean isGroup(String word) {
        return word.equals("locks") || word.equals("store");
    }

    static @Nullable Command find(String path) {
        return switch (path) {
            case "run" -> new Run();
            case "locks list" -> new LocksList();
            case "locks status" -> new LocksStatus();
            case "locks acquire" -> new LocksAcquire();
            case "locks renew" -> new LocksRenew();
            case "locks release" -> new LocksRelease();
            case "locks history" -> new LocksHistory();
            case "locks hold" -> new LocksHold();
            case "locks cancel-wait" -> new LocksCancelWait();
            case "why" -> new Why();
            case "store status" -> new StoreStatus();
            case "store stop" -> new StoreStop();
            case "store upgrade" -> new StoreUpgrade();
            case "store prune" -> new StorePrune();
            case "doctor" -> new Doctor();
            case "completion" -> new Completion();
            case "version" -> new Version();
            case "help" -> new Help();
            default -> null;
        };
    }

    static Shape shape(String path) {
        Command command = find(path);
        if (command == null) {
            throw new IllegalArgumentException(path);
        }
        Shape shape = new Shape("interlock " + path);
        command.shape(shape);
        return shape.common();
    }

    /** What the user may have meant: at most two letters away. */
    static @Nullable String nearest(String path) {
        String nearest = null;
        int least = 3;
        for (String known : PATHS) {
            int distance = distance(path, known);
            if (distance < least) {
                least = distance;
                nearest = known;
            }
        }
        return nearest;
    }

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
