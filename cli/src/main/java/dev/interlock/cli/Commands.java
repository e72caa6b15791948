package dev.interlock.cli;

import dev.interlock.core.Nearest;
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
            "executions submit",
            "executions list",
            "executions show",
            "executions logs",
            "executions cancel",
            "executions retry",
            "why",
            "worker",
            "audit tail",
            "audit export",
            "audit verify",
            "audit seal",
            "workflows apply",
            "workflows list",
            "resources register",
            "resources list",
            "resources show",
            "workers list",
            "workers drain",
            "dead list",
            "dead show",
            "dead requeue",
            "dead discard",
            "targets clear",
            "janitor",
            "store status",
            "store stop",
            "store upgrade",
            "store prune",
            "store recover",
            "dynamodb create-table",
            "sqs create-queue",
            "doctor",
            "completion",
            "version",
            "help");

    static final List<String> GROUPS = List.of(
            "locks",
            "executions",
            "workflows",
            "resources",
            "workers",
            "dead",
            "targets",
            "audit",
            "store",
            "dynamodb",
            "sqs");

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
            case "executions submit" -> new ExecutionsSubmit();
            case "executions list" -> new ExecutionsList();
            case "executions show" -> new ExecutionsShow();
            case "executions logs" -> new ExecutionsLogs();
            case "executions cancel" -> new ExecutionsCancel();
            case "executions retry" -> new ExecutionsRetry();
            case "why" -> new Why();
            case "worker" -> new WorkerStart();
            case "audit tail" -> new AuditTail();
            case "audit export" -> new AuditExport();
            case "audit verify" -> new AuditVerify();
            case "audit seal" -> new AuditSeal();
            case "workflows apply" -> new WorkflowsApply();
            case "workflows list" -> new WorkflowsList();
            case "resources register" -> new ResourcesRegister();
            case "resources list" -> new ResourcesList();
            case "resources show" -> new ResourcesShow();
            case "workers list" -> new WorkersList();
            case "workers drain" -> new WorkersDrain();
            case "dead list" -> new DeadList();
            case "dead show" -> new DeadShow();
            case "dead requeue" -> new DeadRequeue();
            case "dead discard" -> new DeadDiscard();
            case "targets clear" -> new TargetsClear();
            case "janitor" -> new JanitorCommand();
            case "store status" -> new StoreStatus();
            case "store stop" -> new StoreStop();
            case "store upgrade" -> new StoreUpgrade();
            case "store prune" -> new StorePrune();
            case "store recover" -> new StoreRecover();
            case "dynamodb create-table" -> new DynamodbCreateTable();
            case "sqs create-queue" -> new SqsCreateQueue();
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
        return Nearest.likely(path, words);
    }
}
