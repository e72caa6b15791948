/** The rules that every store of locks must pass, and ports under a test's own time. */
@NullMarked
package dev.interlock.contract;

import org.jspecify.annotations.NullMarked;
