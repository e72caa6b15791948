/** What is measured: one class for each question asked of the contenders. */
@NullMarked
package dev.interlock.bench.workload;

import org.jspecify.annotations.NullMarked;
