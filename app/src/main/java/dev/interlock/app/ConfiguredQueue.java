package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.cli.UsageError;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.sqs.QueueUnavailable;
import dev.interlock.sqs.SqsAddress;
import dev.interlock.sqs.SqsClients;
import dev.interlock.sqs.SqsQueues;
import java.util.function.Consumer;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A queue on SQS, as commands look at it. Only a command that names one loads this. */
final class ConfiguredQueue {
    private ConfiguredQueue() {}

    static void examine(String text, Consumer<Finding> findings) {
        SqsAddress address = parsed(text);
        try (SqsClient client = SqsClients.create(address)) {
            for (SqsQueues.Trait trait : SqsQueues.describe(client, address)) {
                findings.accept(
                        trait.advice() == null
                                ? Finding.ok(trait.what(), trait.text())
                                : Finding.warn(trait.what(), trait.text(), trait.advice()));
            }
        } catch (QueueUnavailable e) {
            findings.accept(Finding.fail(
                    "queue",
                    String.valueOf(e.getMessage()),
                    "Until then workers find work by looking at the store; nothing is lost."));
        }
    }

    static String create(String text) {
        SqsAddress address = parsed(text);
        try (SqsClient client = SqsClients.create(address)) {
            SqsQueues.create(client, address);
            return "The queue " + address + " is there, with its dead-letter queue.";
        } catch (QueueUnavailable e) {
            throw new StoreUnavailable(StoreUnavailable.Kind.UNREACHABLE, String.valueOf(e.getMessage()), e);
        }
    }

    private static SqsAddress parsed(String text) {
        try {
            return SqsAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }
}
