/** Where executions are kept, claimed, run and put right: what an engine asks of a store. */
@NullMarked
package dev.interlock.core.work;

import org.jspecify.annotations.NullMarked;
