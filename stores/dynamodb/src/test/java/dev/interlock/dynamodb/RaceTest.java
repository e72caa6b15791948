package dev.interlock.dynamodb;

import static dev.interlock.dynamodb.Scene.LEASE;
import static dev.interlock.dynamodb.Scene.NAME;
import static dev.interlock.dynamodb.Scene.ask;
import static dev.interlock.dynamodb.Scene.granted;
import static dev.interlock.dynamodb.Scene.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Release;
import dev.interlock.core.SetAcquisition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Races between two processes, each forced at the moment where it hurts, and answers that are lost. */
class RaceTest {
    private static final Duration EXPIRED = LEASE.plusSeconds(3);

    private final Scene scene = new Scene();
    private final Lease mine = lease("here:1:a");
    private final Lease theirs = lease("there:1:b");

    @AfterEach
    void the_race_has_taken_place() {
        assertThat(scene.traffic.hasHappened()).isTrue();
    }

    /** The write arrives, the answer does not, the client sends it again and is refused because of itself. */
    @Test
    void a_grant_whose_answer_was_lost_is_recognised_as_ones_own() {
        scene.traffic.lose(1, UpdateItemRequest.class);

        Lock lock = granted(scene.here.acquire(ask(NAME, mine, "e1")));

        assertThat(lock.token()).isEqualTo(1);
        assertThat(scene.traffic.drain()).containsExactly("GetItem", "UpdateItem", "UpdateItem");
        assertThat(scene.there.find(NAME).orElseThrow().token()).isEqualTo(1);
    }

    @Test
    void a_renewal_whose_answer_was_lost_is_made_again() {
        granted(scene.here.acquire(ask(NAME, mine, "e1")));
        scene.traffic.lose(1, UpdateItemRequest.class);

        assertThat(scene.here.renew(List.of(mine))).first().isInstanceOf(LeaseRenewal.Renewed.class);
    }

    /** Also when somebody has taken the free lock before the release is repeated. */
    @Test
    void a_release_whose_answer_was_lost_is_a_release() {
        Lock lock = granted(scene.here.acquire(ask(NAME, mine, "e1")));
        scene.traffic.lose(1, TransactWriteItemsRequest.class);

        assertThat(scene.here.release(lock)).isEqualTo(new Release.Released());
        granted(scene.there.acquire(ask(NAME, theirs, "e2")));
        assertThat(scene.here.release(lock)).isEqualTo(new Release.Released());

        assertThat(events()).containsExactly(Past.Event.RELEASED);
    }

    @Test
    void a_hand_over_whose_answer_was_lost_hands_over_once() {
        Lock first = granted(scene.here.acquire(ask(NAME, mine, "e1")));
        Entry.Queued queued = (Entry.Queued) scene.here.enter(ask(NAME, mine, "e2"), Duration.ofHours(1), 10);
        scene.traffic.lose(1, TransactWriteItemsRequest.class);

        scene.here.release(first);

        assertThat(granted(queued.place().handover().join()).token()).isEqualTo(2);
        assertThat(scene.there.find(NAME).orElseThrow().token()).isEqualTo(2);
        assertThat(events()).containsExactly(Past.Event.RELEASED);
    }

    @Test
    void a_takeover_whose_revocation_was_answered_into_the_void_goes_on() {
        granted(scene.there.acquire(ask(NAME, theirs, "e1")));
        scene.time.pass(EXPIRED);
        scene.traffic.lose(1, PutItemRequest.class);

        assertThat(granted(scene.here.acquire(ask(NAME, mine, "e2"))).token()).isEqualTo(2);
    }

    /**
     * The lease has run out and is judged to be over; before it is revoked, a renewal arrives that was long on its way.
     * Whoever granted on the strength of the judgement alone would make two holders.
     */
    @Test
    void a_renewal_that_arrives_just_before_the_revocation_keeps_the_lock() {
        Lock held = granted(scene.there.acquire(ask(NAME, theirs, "e1")));
        scene.there.renew(List.of(theirs));
        scene.time.pass(EXPIRED);
        scene.traffic.before(PutItemRequest.class, () -> renewByHand(theirs));

        Acquisition answer = scene.here.acquire(ask(NAME, mine, "e2"));

        assertThat(((Acquisition.Held) answer).current().token()).isEqualTo(held.token());
        assertThat(scene.there.find(NAME).orElseThrow().isHeld()).isTrue();
    }

    /** The other side of the same race: the revocation came first, and the late renewal must find nothing to renew. */
    @Test
    void a_renewal_that_arrives_just_after_the_revocation_renews_nothing() {
        granted(scene.there.acquire(ask(NAME, theirs, "e1")));
        scene.time.pass(EXPIRED);
        scene.traffic.before(
                TransactWriteItemsRequest.class,
                () -> assertThat(scene.there.renew(List.of(theirs)))
                        .containsExactly(new LeaseRenewal.Ended(theirs, Loss.Cause.EXPIRED)));

        assertThat(granted(scene.here.acquire(ask(NAME, mine, "e2"))).token()).isEqualTo(2);
    }

    /** Both have found the lease over; between the revocation and the grant of one, the other one is granted. */
    @Test
    void of_two_that_take_over_one_is_refused() {
        granted(scene.there.acquire(ask(NAME, theirs, "e1")));
        scene.time.pass(EXPIRED);
        Lease third = lease("there:2:c");
        scene.traffic.before(
                TransactWriteItemsRequest.class, () -> granted(scene.there.acquire(ask(NAME, third, "e3"))));

        Acquisition answer = scene.here.acquire(ask(NAME, mine, "e2"));

        assertThat(((Acquisition.Held) answer).current().holder().owner()).isEqualTo("there:2:c");
        assertThat(events()).containsExactlyInAnyOrder(Past.Event.EXPIRED, Past.Event.REFUSED);
    }

    /** Somebody in another process begins to wait between our grant and our release: its place must not be lost. */
    @Test
    void a_release_keeps_the_place_of_one_who_came_meanwhile() {
        Lock lock = granted(scene.here.acquire(ask(NAME, mine, "e1")));
        Entry.Queued[] queued = new Entry.Queued[1];
        scene.traffic.before(
                TransactWriteItemsRequest.class,
                () -> queued[0] = (Entry.Queued) scene.there.enter(ask(NAME, theirs, "e2"), Duration.ofHours(1), 10));

        assertThat(scene.here.release(lock)).isEqualTo(new Release.Released());

        assertThat(granted(queued[0].place().handover().join()).token()).isEqualTo(2);
    }

    /** The lock is released between being found busy and the waiter's place being written. */
    @Test
    void whoever_would_wait_for_a_lock_that_was_released_meanwhile_gets_it_at_once() {
        Lock lock = granted(scene.there.acquire(ask(NAME, theirs, "e1")));
        scene.traffic.before(PutItemRequest.class, () -> scene.there.release(lock));

        Entry entry = scene.here.enter(ask(NAME, mine, "e2"), Duration.ofHours(1), 10);

        assertThat(granted(entry).token()).isEqualTo(2);
        assertThat(scene.here.waiters(NAME)).isEmpty();
    }

    /** Pruning has judged the lock to be unused; before it is removed somebody acquires it. */
    @Test
    void a_lock_that_is_taken_while_it_is_pruned_stays() {
        scene.there.release(granted(scene.there.acquire(ask(NAME, theirs, "e1"))));
        scene.traffic.before(PutItemRequest.class, () -> granted(scene.there.acquire(ask(NAME, theirs, "e2"))));

        assertThat(scene.here.prune(Duration.ZERO)).isZero();

        assertThat(scene.here.find(NAME).orElseThrow().token()).isEqualTo(2);
    }

    /** The bare token is let go of a day after; somebody takes the name up again just before. */
    @Test
    void a_name_that_is_taken_up_again_while_its_token_is_let_go_of_goes_on_counting() {
        scene.there.release(granted(scene.there.acquire(ask(NAME, theirs, "e1"))));
        assertThat(scene.here.prune(Duration.ZERO)).isEqualTo(1);
        scene.time.pass(Floor.GRACE.plusSeconds(10));
        Lease later = lease("there:1:b");
        scene.traffic.before(DeleteItemRequest.class, () -> granted(scene.there.acquire(ask(NAME, later, "e2"))));

        scene.here.prune(Duration.ofDays(90));

        assertThat(scene.here.find(NAME).orElseThrow().token()).isEqualTo(2);
    }

    /** A process that has not heard of the pruning starts a name that was pruned: above, since its token is still there. */
    @Test
    void a_pruned_token_does_not_return_through_a_process_that_knows_an_old_floor() {
        Lock lock = granted(scene.here.acquire(ask(NAME, mine, "e1")));
        scene.here.release(lock);
        scene.here.prune(Duration.ZERO);
        assertThat(scene.here.find(NAME)).isEmpty();

        assertThat(granted(scene.there.acquire(ask(NAME, theirs, "e2"))).token())
                .isGreaterThan(lock.token());
    }

    @Test
    void a_pruned_token_does_not_return_when_its_last_trace_has_gone() {
        Lock lock = granted(scene.here.acquire(ask(NAME, mine, "e1")));
        scene.here.release(lock);
        scene.here.prune(Duration.ZERO);
        scene.time.pass(Floor.GRACE.plusSeconds(10));
        scene.here.prune(Duration.ofDays(90));

        assertThat(granted(scene.there.acquire(ask(NAME, lease("there:1:b"), "e2")))
                        .token())
                .isGreaterThan(lock.token());
    }

    @Test
    void pruning_forgets_old_history_of_a_lock_that_is_in_use() {
        Lock lock = granted(scene.there.acquire(ask(NAME, lease("there:1:b", Duration.ofDays(100)), "e1")));
        for (int number = 0; number < 60; number++) {
            scene.here.acquire(ask(NAME, mine, "refused-" + number));
        }
        scene.time.pass(Duration.ofDays(91));
        scene.here.acquire(ask(NAME, lease("here:1:a"), "late"));

        assertThat(scene.here.prune(Duration.ofDays(90))).isZero();

        assertThat(events()).containsExactly(Past.Event.REFUSED);
        assertThat(scene.there.find(NAME).orElseThrow().token()).isEqualTo(lock.token());
    }

    /** All members were free when they were read; one is taken before the transaction. */
    @Test
    void a_set_of_which_one_is_taken_meanwhile_is_not_granted() {
        LockName other = LockName.of("prod/web");
        scene.traffic.before(
                TransactWriteItemsRequest.class, () -> granted(scene.there.acquire(ask(other, theirs, "e1"))));

        SetAcquisition answer = scene.here.acquireAll(List.of(ask(NAME, mine, "e2"), ask(other, mine, "e2")));

        assertThat(answer).isInstanceOf(SetAcquisition.NoneGranted.class);
        assertThat(scene.here.find(NAME)).isEmpty();
    }

    /** More than one transaction can hold: the first part is given back when the second finds an obstacle. */
    @Test
    void a_large_set_that_meets_an_obstacle_late_is_given_back() {
        List<Ask> asks = IntStream.range(100, 350)
                .mapToObj(number -> ask(LockName.of("host/" + number), mine, "e1"))
                .toList();
        granted(scene.there.acquire(ask(LockName.of("host/349"), theirs, "e2")));

        assertThat(scene.here.acquireAll(asks)).isInstanceOf(SetAcquisition.NoneGranted.class);

        assertThat(scene.there
                        .list(LockFilter.ALL, new Page.Request(null, 1000))
                        .items())
                .filteredOn(Lock::isHeld)
                .extracting(lock -> lock.name().value())
                .containsExactly("host/349");
    }

    /** A person forces the lock from a holder that gives it back at the same moment: the release was first. */
    @Test
    void a_lock_that_is_released_while_it_is_forced_is_free() {
        Lock lock = granted(scene.there.acquire(ask(NAME, theirs, "e1")));
        scene.traffic.before(TransactWriteItemsRequest.class, () -> scene.there.release(lock));

        Forcing answer = scene.here.force(new Force(NAME, lock.token(), "oncall", "it hangs", true));

        assertThat(answer).isEqualTo(new Forcing.Free());
        assertThat(events()).containsExactly(Past.Event.RELEASED);
    }

    /** The answer of the server's clock alone would not do yet; but the lease has not moved for a whole lease. */
    @Test
    void a_lease_that_was_seen_unchanged_for_a_whole_lease_is_over() {
        granted(scene.there.acquire(ask(NAME, theirs, "e1")));
        scene.here.find(NAME);

        scene.time.pass(LEASE.plusSeconds(1));

        assertThat(granted(scene.here.acquire(ask(NAME, mine, "e2"))).token()).isEqualTo(2);
    }

    /** The same without having looked before: a second is not enough to be certain of the server's clock. */
    @Test
    void a_lease_that_has_just_run_out_is_not_over_for_one_who_never_looked() {
        Lock held = granted(scene.there.acquire(ask(NAME, theirs, "e1")));

        scene.time.pass(LEASE);

        Acquisition answer = scene.here.acquire(ask(NAME, mine, "e2"));
        assertThat(((Acquisition.Held) answer).current().token()).isEqualTo(held.token());
    }

    private void renewByHand(Lease lease) {
        try (DynamoDbClient client = LocalServer.shared().client()) {
            client.updateItem(request -> request.tableName(scene.table)
                    .key(LeaseRecord.key(lease.id()).attributes())
                    .updateExpression("SET expires_at = expires_at + :more, version = version + :one")
                    .expressionAttributeValues(
                            Map.of(":more", AttributeValue.fromN("600000"), ":one", AttributeValue.fromN("1"))));
        }
    }

    private List<Past.Event> events() {
        return scene.there.history(NAME, Page.Request.FIRST).items().stream()
                .map(Past::event)
                .toList();
    }
}
