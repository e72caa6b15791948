/** What a service's locks come to, counted and timed in a Micrometer registry. */
@NullMarked
package dev.interlock.metrics;

import org.jspecify.annotations.NullMarked;
