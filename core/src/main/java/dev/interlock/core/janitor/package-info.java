/** The janitor: what it looks for, when it waits before it judges, and what becomes of what it finds. */
@NullMarked
package dev.interlock.core.janitor;

import org.jspecify.annotations.NullMarked;
