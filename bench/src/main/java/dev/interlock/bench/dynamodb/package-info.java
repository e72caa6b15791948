/** What locks cost in requests to DynamoDB, beside Amazon's own client. */
@NullMarked
package dev.interlock.bench.dynamodb;

import org.jspecify.annotations.NullMarked;
