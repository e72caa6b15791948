/** Waiting on stores that push nothing: who waits in this process, one observer per lock, and judging by observation. */
@NullMarked
package dev.interlock.core.polling;

import org.jspecify.annotations.NullMarked;
