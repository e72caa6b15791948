package dev.interlock.contract.once;

import dev.interlock.core.LockStore;
import dev.interlock.core.Ports;
import java.util.List;

/** Opens a store in a process of its own. It needs a constructor without arguments. */
public interface StoreOpener {
    /**
     * Opens it.
     *
     * @param address where it is, as the test that started this process said
     */
    LockStore open(List<String> address, Ports ports);
}
