/** The rules that every store of executions must pass. */
@NullMarked
package dev.interlock.contract.work;

import org.jspecify.annotations.NullMarked;
