/** The one server of a run, and a fresh database on it for each measurement. */
@NullMarked
package dev.interlock.bench.postgres;

import org.jspecify.annotations.NullMarked;
