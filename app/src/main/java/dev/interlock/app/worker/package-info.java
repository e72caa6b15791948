/** A worker as a process: what it declares, the commands that it runs, how it ends. */
@NullMarked
package dev.interlock.app.worker;

import org.jspecify.annotations.NullMarked;
