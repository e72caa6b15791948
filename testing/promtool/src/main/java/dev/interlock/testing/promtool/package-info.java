/** Prometheus's own checker, for tests. */
@NullMarked
package dev.interlock.testing.promtool;

import org.jspecify.annotations.NullMarked;
