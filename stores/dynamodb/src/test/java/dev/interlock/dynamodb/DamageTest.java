package dev.interlock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Release;
import dev.interlock.core.StoreUnavailable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An item that somebody has changed so that it cannot be read: nothing is granted on it, and it hides nothing else. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DamageTest {
    private final Scene scene = new Scene();

    enum Damage {
        NO_TOKEN,
        A_TOKEN_THAT_IS_NO_NUMBER,
        NO_VERSION,
        NO_HOLDER,
        AN_END_THAT_IS_NONE,
        A_QUEUE_THAT_IS_NONE,
        A_LEASE_THAT_IS_NONE;

        void to(Map<String, AttributeValue> item) {
            switch (this) {
                case NO_TOKEN -> item.remove("token");
                case A_TOKEN_THAT_IS_NO_NUMBER -> item.put("token", AttributeValue.fromS("many"));
                case NO_VERSION -> item.remove("version");
                case NO_HOLDER -> {
                    item.remove("owner");
                    item.put("status", AttributeValue.fromS("active"));
                }
                case AN_END_THAT_IS_NONE -> {
                    item.put("ending", AttributeValue.fromS("well"));
                    item.put("status", AttributeValue.fromS("done"));
                }
                case A_QUEUE_THAT_IS_NONE -> item.put("waiting", AttributeValue.fromS("nobody"));
                case A_LEASE_THAT_IS_NONE -> {
                    item.put("lease_id", AttributeValue.fromS("mine"));
                    item.put("status", AttributeValue.fromS("active"));
                }
            }
        }
    }

    private void edit(Item key, Consumer<Map<String, AttributeValue>> change) {
        try (DynamoDbClient client = LocalServer.shared().client()) {
            Map<String, AttributeValue> item = new HashMap<>(
                    client.getItem(request -> request.tableName(scene.table).key(key.attributes()))
                            .item());
            change.accept(item);
            client.putItem(request -> request.tableName(scene.table).item(item));
        }
    }

    private Lock take(String name) {
        Lease lease = Scene.lease("owner:1:" + name);
        return Scene.granted(scene.here.acquire(Scene.ask(LockName.of(name), lease, "exec-1")));
    }

    private Page<Lock> listed() {
        return scene.there.list(LockFilter.ALL, Page.Request.FIRST);
    }

    private static List<String> names(Page<Lock> page) {
        return page.items().stream().map(lock -> lock.name().value()).toList();
    }

    private Acquisition asked() {
        return scene.there.acquire(Scene.ask(Scene.NAME, Scene.lease("other:1:x"), "exec-2"));
    }

    private static void assertNames(Page<Lock> page, String name) {
        assertThat(page.faults())
                .singleElement()
                .asString()
                .contains("lock_name = '" + name + "'")
                .doesNotContain("Exception", "\n");
    }

    @ParameterizedTest
    @EnumSource
    void a_damaged_record_is_told_of_hides_none_of_the_others_and_grants_nothing(Damage damage) {
        assertThat(scene.here.release(take("prod/db"))).isEqualTo(new Release.Released());
        take("prod/a");
        take("prod/z");
        edit(LockRecord.key(Scene.NAME), damage::to);

        Page<Lock> page = listed();

        assertThat(names(page)).containsExactly("prod/a", "prod/z");
        assertNames(page, "prod/db");
        assertThatThrownBy(this::asked).isInstanceOfSatisfying(StoreUnavailable.class, e -> {
            assertThat(e.kind()).isEqualTo(StoreUnavailable.Kind.MISCONFIGURED);
            assertThat(e.getMessage()).isEqualTo(page.faults().getFirst());
        });
        scene.here.prune(Scene.LEASE);
        assertNames(listed(), "prod/db");
    }

    /** The canary: what others have added is no damage. */
    @Test
    void a_record_with_more_in_it_is_none() {
        assertThat(scene.here.release(take("prod/db"))).isEqualTo(new Release.Released());
        edit(LockRecord.key(Scene.NAME), item -> item.put("colour", AttributeValue.fromS("blue")));

        assertThat(names(listed())).containsExactly("prod/db");
        assertThat(listed().faults()).isEmpty();
        assertThat(asked()).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void a_damaged_lease_is_told_of_and_hides_only_what_hangs_on_it() {
        Lease lease = Scene.lease("owner:1:x");
        Scene.granted(scene.here.acquire(Scene.ask(Scene.NAME, lease, "exec-1")));
        scene.here.renew(List.of(lease));
        take("prod/a");
        edit(LeaseRecord.key(lease.id()), item -> item.remove("version"));

        Page<Lock> page = listed();

        assertThat(names(page)).containsExactly("prod/a");
        assertNames(page, lease.id().toString());
    }
}
