/** Resources: targets with a declared state machine, and that state machine. */
@NullMarked
package dev.interlock.core.lifecycle;

import org.jspecify.annotations.NullMarked;
