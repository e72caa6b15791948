/** What is compared: one class for each way of locking on PostgreSQL. */
@NullMarked
package dev.interlock.bench.contender;

import org.jspecify.annotations.NullMarked;
