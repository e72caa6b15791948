/** Check-then-create by many callers in many processes, on any store. */
@NullMarked
package dev.interlock.contract.once;

import org.jspecify.annotations.NullMarked;
