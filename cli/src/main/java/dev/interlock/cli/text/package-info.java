/** How untrusted text is shown to people. */
@NullMarked
package dev.interlock.cli.text;

import org.jspecify.annotations.NullMarked;
