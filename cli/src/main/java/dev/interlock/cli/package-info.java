/**
 * The {@code interlock} command. {@link dev.interlock.cli.Interlock} runs it with what the composition root hands in;
 * one class per command: parse, ask, say. The outcome picks the sentence and the exit code.
 */
@NullMarked
package dev.interlock.cli;

import org.jspecify.annotations.NullMarked;
