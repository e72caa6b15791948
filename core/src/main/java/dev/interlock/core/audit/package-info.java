/** The audit trail: events as people see them, seals that make tampering show, and what the events add up to. */
@NullMarked
package dev.interlock.core.audit;

import org.jspecify.annotations.NullMarked;
