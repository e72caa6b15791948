/** One command that measures Interlock beside its peers and prints the ratios. */
@NullMarked
package dev.interlock.bench;

import org.jspecify.annotations.NullMarked;
