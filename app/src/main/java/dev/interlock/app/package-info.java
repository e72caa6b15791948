/** The composition root: the one place that reads the environment and names concrete stores. */
@NullMarked
package dev.interlock.app;

import org.jspecify.annotations.NullMarked;
