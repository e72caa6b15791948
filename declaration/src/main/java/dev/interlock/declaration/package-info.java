/** Workflows and lifecycles as people write them: YAML files, read strictly. */
@NullMarked
package dev.interlock.declaration;

import org.jspecify.annotations.NullMarked;
