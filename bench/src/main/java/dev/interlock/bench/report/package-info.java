/** From readings to the printed tables. */
@NullMarked
package dev.interlock.bench.report;

import org.jspecify.annotations.NullMarked;
