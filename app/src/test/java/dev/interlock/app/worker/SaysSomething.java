package dev.interlock.app.worker;

import org.slf4j.LoggerFactory;

/** A service that says one thing about one attempt. */
final class SaysSomething {
    private SaysSomething() {}

    public static void main(String[] arguments) {
        ServiceLog.begin(System.getenv());
        LoggerFactory.getLogger("dev.interlock.engine.Runs")
                .atInfo()
                .addKeyValue("execution", "exec-7")
                .addKeyValue("attempt", 2)
                .addKeyValue("token", 41L)
                .addKeyValue("target", "prod/db")
                .addKeyValue("correlation", "req-\"9\"")
                .log("Stopping.");
    }
}
