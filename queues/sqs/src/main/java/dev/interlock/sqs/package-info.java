/** Wake-ups over an SQS FIFO queue: the execution's row is the truth, a message is only a hint. */
@NullMarked
package dev.interlock.sqs;

import org.jspecify.annotations.NullMarked;
