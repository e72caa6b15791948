/** How durations, instants and untrusted text are written and read by people. */
@NullMarked
package dev.interlock.cli.text;

import org.jspecify.annotations.NullMarked;
