package dev.interlock.embedded;

/** The settings the server runs with: durable, small, reachable from this machine alone. */
final class Settings {
    private static final int FIRST_WITH_IO_METHOD = 18;

    // Paths are relative to the data directory (log_directory) and to this file (include), so that a home can be moved.
    // scram_iterations: they slow down guessing; a random password of 256 bits is beyond guessing, and each
    // connection of each command would pay for them.
    private static final String TEXT = """
            # Written by Interlock at every start. Put your own settings into ../postgresql.conf; they win.
            listen_addresses = '127.0.0.1'
            unix_socket_directories = ''
            scram_iterations = 1
            authentication_timeout = 15s
            cluster_name = 'interlock'

            fsync = on
            synchronous_commit = on
            full_page_writes = on
            min_wal_size = 32MB
            max_wal_size = 256MB

            max_connections = 300
            shared_buffers = 32MB
            max_logical_replication_workers = 0
            max_parallel_workers_per_gather = 0
            jit = off
            autovacuum = on

            logging_collector = on
            log_destination = 'stderr'
            log_directory = '../../log'
            log_filename = 'postgres-%a.log'
            log_file_mode = 0600
            log_rotation_age = 1d
            log_rotation_size = 0
            log_truncate_on_rotation = on
            log_checkpoints = off
            log_timezone = 'UTC'
            timezone = 'UTC'
            lc_messages = 'C'
            """;

    private static final String OWNERS = "include = '../postgresql.conf'\n";

    private Settings() {}

    static String of(int major) {
        // Reading is rare and small: the worker processes of the default method would only sit there.
        String io = major >= FIRST_WITH_IO_METHOD ? "io_method = sync\n" : "";
        return TEXT + io + OWNERS;
    }
}
