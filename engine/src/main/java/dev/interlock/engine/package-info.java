/** Workers: what moves. They claim executions, run them under their locks, stop them in time, and finish them. */
@NullMarked
package dev.interlock.engine;

import org.jspecify.annotations.NullMarked;
