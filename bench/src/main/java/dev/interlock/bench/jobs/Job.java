package dev.interlock.bench.jobs;

import dev.interlock.bench.contender.Names;

/** One thing to do to one target: the one with this number in the target's line. */
record Job(int target, int number) {
    String name() {
        return Names.at(target);
    }
}
