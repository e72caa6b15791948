/** The ports of a real process: its clocks, threads, randomness and identity. The only room of core that has them. */
@NullMarked
package dev.interlock.core.system;

import org.jspecify.annotations.NullMarked;
