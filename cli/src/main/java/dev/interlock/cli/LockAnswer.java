package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.core.Lock;

/** One lock for programs; for people and shells one line, or nothing. */
record LockAnswer(Lock lock, String line) implements Answer {
    @Override
    public Data data() {
        return Views.data(lock);
    }

    @Override
    public String text(int columns, boolean colours) {
        return line;
    }
}
