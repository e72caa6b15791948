package dev.interlock.app.worker;

import dev.interlock.core.work.WakeUps;

/** What wakes a worker beside its store, until it is closed. */
interface Wakening extends WakeUps, AutoCloseable {
    /** Through nothing: the worker looks by itself. */
    Wakening NONE = new Wakening() {
        @Override
        public void onWork(Runnable listener) {}

        @Override
        public void close() {}
    };

    @Override
    void close();
}
