/** The vocabulary of Interlock, the answers of its verbs, the store SPI, and the handle a holder works with. */
@NullMarked
package dev.interlock.core;

import org.jspecify.annotations.NullMarked;
