/** Whether an execution may start now, and if not, why, until when, and what to do. */
@NullMarked
package dev.interlock.core.admission;

import org.jspecify.annotations.NullMarked;
