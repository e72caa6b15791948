/** The reference store: the executable specification of the store SPI. */
@NullMarked
package dev.interlock.memory;

import org.jspecify.annotations.NullMarked;
