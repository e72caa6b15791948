/** A durable PostgreSQL in the user's data directory: started by whoever needs it first, shared by all that follow. */
@NullMarked
package dev.interlock.embedded;

import org.jspecify.annotations.NullMarked;
