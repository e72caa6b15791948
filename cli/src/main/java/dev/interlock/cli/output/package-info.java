/** What a command answers, for people as a table and for programs as JSON or YAML. */
@NullMarked
package dev.interlock.cli.output;

import org.jspecify.annotations.NullMarked;
