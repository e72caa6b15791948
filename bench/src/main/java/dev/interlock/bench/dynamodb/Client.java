package dev.interlock.bench.dynamodb;

import java.io.IOException;

/** Locks on DynamoDB, used by the threads of one process as its documentation says. */
interface Client extends AutoCloseable {
    /** Returns once the lock is held; gives it back when closed. */
    AutoCloseable acquire(String name) throws Exception;

    /** One round for everything that is held. */
    void heartbeat() throws Exception;

    @Override
    void close() throws IOException;
}
