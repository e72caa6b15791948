package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A data directory with the binaries that serve it and the account that owns it. Whoever calls holds the start lock.
 */
record Cluster(Home home, Account account, Binaries binaries, Path data) {

    /** Makes a data directory that has no name yet, so that a half-made one is never taken for whole. */
    static Cluster createAside(Home home, Account account, Binaries binaries, String password) throws IOException {
        Cluster cluster = new Cluster(home, account, binaries, home.newPartialData());
        boolean whole = false;
        try {
            account.own(cluster.data);
            cluster.initialise();
            cluster.run("""
                    CREATE ROLE interlock LOGIN PASSWORD '%s'
                    GRANT pg_monitor TO interlock
                    CREATE DATABASE interlock OWNER interlock
                    """.formatted(password));
            whole = true;
            return cluster;
        } finally {
            if (!whole) {
                Disk.delete(cluster.data);
            }
        }
    }

    void changePassword(String password) throws IOException {
        run("ALTER ROLE interlock PASSWORD '%s'\n".formatted(password));
    }

    List<String> serve(int port) {
        return command("postgres", "-D", data.toString(), settings(), "-p", Integer.toString(port));
    }

    Path lock() {
        return home.serverLock(binaries.major());
    }

    void writeSettings() throws IOException {
        if (!Files.exists(home.ownersSettings())) {
            Disk.replace(home.ownersSettings(), "# Your own settings for the store of Interlock.\n", "rw-r--r--");
        }
        Disk.replace(home.settings(binaries.major()), Settings.of(binaries.major()), "rw-r--r--");
    }

    /** The superuser has no password and so cannot log in: what Interlock may do ends at its own database. */
    private void initialise() throws IOException {
        List<String> initdb = command(
                "initdb",
                "--pgdata=" + data,
                "--username=postgres",
                "--auth-host=scram-sha-256",
                "--auth-local=reject",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions");
        check("Creating the store in " + data, Command.run(Command.prepare(home.path(), initdb), ""));
    }

    /** In single-user mode, one statement per line; statements are not logged, for they hold the password. */
    private void run(String sql) throws IOException {
        writeSettings();
        List<String> single = command(
                "postgres",
                "--single",
                "-D",
                data.toString(),
                settings(),
                "--exit_on_error=on",
                "--log_min_error_statement=panic",
                "postgres");
        Wait orphans = Wait.atMost(Patience.USUAL.forOrphans());
        Command.Result result = Command.run(Exclusive.prepare(this, single), sql);
        while (result.exit() == Exclusive.IN_USE) {
            if (!orphans.pause()) {
                throw Exclusive.inUse(this);
            }
            result = Command.run(Exclusive.prepare(this, single), sql);
        }
        check("Preparing the store in " + data, result);
    }

    private void check(String attempt, Command.Result result) {
        if (!result.succeeded()) {
            throw Trouble.with(home.path(), attempt, result.output().lines().toList());
        }
    }

    private String settings() {
        return "--config_file=" + home.settings(binaries.major());
    }

    private List<String> command(String program, String... arguments) {
        return account.command(binaries.command(program, arguments));
    }
}
