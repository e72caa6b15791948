package dev.interlock.cli;

import org.jspecify.annotations.Nullable;

/** {@code --queue}: the queue through which workers are woken. What kinds there are is known here, the rest elsewhere. */
final class QueueOption {
    static final String NAME = "--queue";

    private static final String LABEL = "sqs://NAME.fifo[?region=REGION]";

    private QueueOption() {}

    static Shape on(Shape shape, String description) {
        return shape.option(NAME, LABEL, description);
    }

    static Shape required(Shape shape, String description) {
        return shape.required(NAME, LABEL, description);
    }

    static @Nullable String of(Given given) {
        String address = given.text(NAME);
        return address == null ? null : checked(address);
    }

    static String checked(@Nullable String address) {
        if (address == null || !address.startsWith("sqs://")) {
            throw new UsageError("The address of a queue is " + LABEL + ", not '" + address + "'.");
        }
        return address;
    }
}
