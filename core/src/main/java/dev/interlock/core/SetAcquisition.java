package dev.interlock.core;

import java.util.List;

/** The answer to a request for several locks at once: all of them or none. */
public sealed interface SetAcquisition {
    /** One grant per request, in the order of the requests. */
    record AllGranted(List<Lock> locks) implements SetAcquisition {
        public AllGranted {
            locks = List.copyOf(locks);
        }
    }

    /** None was granted; this is the first obstacle in canonical order, never a {@link Acquisition.Granted}. */
    record NoneGranted(Acquisition obstacle) implements SetAcquisition {}
}
