package dev.interlock.cli;

import java.util.ArrayList;
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
            "store recover",
            "dynamodb create-table",
            "doctor",
            "completion",
            "version",
            "help");

    static final List<String> GROUPS = List.of("locks", "store", "dynamodb");

    private Commands() {}

    static boolean isGroup(String word) {
        return GROUPS.contains(word);
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
            case "store recover" -> new StoreRecover();
            case "dynamodb create-table" -> new DynamodbCreateTable();
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

    /** What the user may have meant. */
    static @Nullable String nearest(String path) {
        List<String> words = new ArrayList<>(PATHS);
        words.addAll(GROUPS);
        return Nearest.to(path, words);
    }
}
