/** Locks on DynamoDB: one conditional write per verb. */
@NullMarked
package dev.interlock.dynamodb;

import org.jspecify.annotations.NullMarked;
