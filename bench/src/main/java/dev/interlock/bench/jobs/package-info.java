/** Executions beside the jobs of other queues on PostgreSQL: who takes part, the processes they run in, the questions. */
@NullMarked
package dev.interlock.bench.jobs;

import org.jspecify.annotations.NullMarked;
