/** Locks on PostgreSQL: {@link dev.interlock.postgres.PostgresLockStore} and its schema. */
@NullMarked
package dev.interlock.postgres;

import org.jspecify.annotations.NullMarked;
