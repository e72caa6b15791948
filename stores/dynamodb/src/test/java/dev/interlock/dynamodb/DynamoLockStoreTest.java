package dev.interlock.dynamodb;

import dev.interlock.contract.LockStoreContract;
import dev.interlock.core.LockStore;
import java.time.Duration;

/**
 * The contract, on the real DynamoDB Local. The store ends nothing before it is certain that its time has come, so a
 * little more time passes than a rule asks for.
 */
class DynamoLockStoreTest extends LockStoreContract {
    private static final Duration UNCERTAINTY = ServerClock.SKEW.plusSeconds(2);

    private final TestTime time = new TestTime();
    private final String table = LocalServer.shared().table();

    @Override
    protected LockStore store() {
        return another();
    }

    @Override
    protected LockStore another() {
        return DynamoLockStore.open(LocalServer.shared().client(time), table, time.ports());
    }

    @Override
    public void age(Duration elapsed) {
        time.pass(elapsed.isNegative() ? elapsed : elapsed.plus(UNCERTAINTY));
    }

    @Override
    public boolean fair() {
        return false;
    }
}
