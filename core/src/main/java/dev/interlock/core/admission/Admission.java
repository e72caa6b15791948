package dev.interlock.core.admission;

/** The decision whether an execution may start now. */
public sealed interface Admission {
    record Admitted() implements Admission {}

    record Refused(Reason reason) implements Admission {}
}
