package dev.interlock.postgres;

import dev.interlock.contract.work.ExecutionStoreContract;
import dev.interlock.core.LockStore;
import dev.interlock.core.janitor.JanitorStore;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.DeadLetters;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.WorkerStore;
import java.time.Duration;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** The contract of executions on one database. Time passes by moving every instant in it. */
abstract class ExecutionsOn extends ExecutionStoreContract {
    private PostgresWork here;
    private PostgresWork there;

    abstract PGSimpleDataSource database();

    @Override
    protected void open(Catalogue declared) {
        PostgresWork.empty(database(), declared);
        here = PostgresWork.open(database(), declared);
        there = PostgresWork.open(database(), declared);
    }

    @Override
    protected void close() {
        there.close();
        here.close();
    }

    @Override
    public ExecutionStore here() {
        return here.executions();
    }

    @Override
    public ExecutionStore there() {
        return there.executions();
    }

    @Override
    public LockStore locks() {
        return here.locks();
    }

    @Override
    public DeadLetters deadLetters() {
        return new PostgresDeadLetters(here.locks(), here.executions());
    }

    @Override
    public JanitorStore janitor() {
        return new PostgresJanitor(here.locks(), here.executions(), here.catalogue());
    }

    @Override
    public WorkerStore workers() {
        return new PostgresWorkers(here.locks().connections(), here.locks().channel());
    }

    @Override
    public LogStore logs() {
        return new PostgresLogs(here.locks().connections());
    }

    @Override
    public void age(Duration elapsed) {
        PostgresWork.age(database(), elapsed);
    }

    @Override
    public void register(String target, String lifecycle, Map<String, String> fields, Duration timeToLive) {
        here.register(target, lifecycle, fields, timeToLive);
    }

    @Override
    public Resource resource(String target) {
        return here.resource(target);
    }
}
