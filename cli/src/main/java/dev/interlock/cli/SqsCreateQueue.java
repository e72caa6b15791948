package dev.interlock.cli;

final class SqsCreateQueue implements Command {
    @Override
    public void shape(Shape shape) {
        QueueOption.required(shape, "The queue to create; its dead-letter queue becomes NAME-dlq.fifo.")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        String address = QueueOption.checked(given.text(QueueOption.NAME));
        return session.say(Exit.OK, session.services().createQueue(address));
    }
}
