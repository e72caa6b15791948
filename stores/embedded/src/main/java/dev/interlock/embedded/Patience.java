package dev.interlock.embedded;

import java.time.Duration;

/** How long to wait before giving up with a sentence. */
record Patience(Duration forOthers, Duration toBeReady, Duration forOrphans) {
    /** A first start on a slow machine fits in; so does the recovery of all the log that the settings allow. */
    static final Patience USUAL = new Patience(Duration.ofMinutes(3), Duration.ofSeconds(60), Duration.ofSeconds(5));
}
