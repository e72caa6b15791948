/** Runs a command so that nothing of its process tree survives its lease. */
@NullMarked
package dev.interlock.supervise;

import org.jspecify.annotations.NullMarked;
