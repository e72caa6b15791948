/** A real Kubernetes API server for tests, as plain processes on loopback. Not part of any distribution. */
@NullMarked
package dev.interlock.testing.kube;

import org.jspecify.annotations.NullMarked;
