/** A server that speaks SQS, for tests. */
@NullMarked
package dev.interlock.testing.elasticmq;

import org.jspecify.annotations.NullMarked;
