/** One request to do one thing to one target: what was asked, its phases and attempts, its failures and retries. */
@NullMarked
package dev.interlock.core.execution;

import org.jspecify.annotations.NullMarked;
