package dev.interlock.embedded;

import java.nio.file.Path;

/** How a request to upgrade ended. */
public sealed interface Upgrade {
    /** The data is of the shipped major version and nothing older serves it, or there is no data yet. */
    record UpToDate(String version) implements Upgrade {}

    /** The same data, served by newer binaries. */
    record Restarted(String from, String to, Address address) implements Upgrade {}

    /** The contents were copied into a new data directory; the old one is untouched and kept as the backup. */
    record Migrated(String from, String to, Path backup, Address address) implements Upgrade {}

    /**
     * Copies the contents of one store into an empty one of another major version. The binaries carry no pg_dump and
     * no pg_upgrade, and this module knows no schema, so this is the part that the caller brings.
     */
    @FunctionalInterface
    interface Copy {
        void copy(Address from, Address to) throws Exception;
    }
}
