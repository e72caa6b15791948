/** Small programs to copy from. */
@org.jspecify.annotations.NullMarked
package dev.interlock.examples;
