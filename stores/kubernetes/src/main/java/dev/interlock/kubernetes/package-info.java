/** Locks as {@code coordination.k8s.io} Leases in one namespace. */
@NullMarked
package dev.interlock.kubernetes;

import org.jspecify.annotations.NullMarked;
