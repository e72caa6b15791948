/** Workflows, the kinds of work: what runs, what admission goes by, and what is allowed of whom. */
@NullMarked
package dev.interlock.core.workflow;

import org.jspecify.annotations.NullMarked;
