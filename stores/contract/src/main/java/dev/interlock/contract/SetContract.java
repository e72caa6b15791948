package dev.interlock.contract;

import static dev.interlock.contract.Answers.RELEASED;
import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.unseen;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.SetAcquisition;
import dev.interlock.core.Terms;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several locks in one step: all or none. */
interface SetContract extends Scene {
    LockName A = LockName.of("set/a");
    LockName B = LockName.of("set/b");
    LockName C = LockName.of("set/c");

    @Test
    @Rule(Catalogue.SETS)
    default void a_free_set_is_granted_as_a_whole() {
        Worker alice = worker("alice");

        List<Lock> locks = all(here().acquireAll(asks(alice, C, A, B)));

        assertThat(locks.stream().map(Lock::name)).containsExactly(C, A, B);
        assertThat(locks).allSatisfy(lock -> {
            assertThat(lock.status()).isEqualTo(Lock.Status.ACTIVE);
            assertThat(lock.holder()).isEqualTo(alice.holder());
            assertThat(unseen(current(lock.name()))).isEqualTo(unseen(lock));
        });
    }

    @Test
    @Rule(Catalogue.SETS)
    default void when_one_is_held_none_is_granted() {
        Worker alice = worker("alice");
        Lock held = take(worker("bob").asks(B));

        Acquisition obstacle = none(here().acquireAll(asks(alice, A, B, C)));

        assertThat(unseen(Answers.refused(obstacle))).isEqualTo(unseen(held));
        assertThat(here().find(A)).isEmpty();
        assertThat(here().find(C)).isEmpty();
        assertThat(unseen(current(B))).isEqualTo(unseen(held));
        assertThat(renew(alice.lease())).isEqualTo(new LeaseRenewal.Ended(alice.lease(), Loss.Cause.FORGOTTEN));
    }

    @Test
    @Rule(Catalogue.SETS)
    default void the_obstacle_is_the_first_in_canonical_order() {
        take(worker("bob").asks(C));
        Lock first = take(worker("bob").asks(B));

        Acquisition obstacle = none(here().acquireAll(asks(worker("alice"), C, B, A)));

        assertThat(Answers.refused(obstacle).name()).isEqualTo(first.name());
    }

    @Test
    @Rule({Catalogue.SETS, Catalogue.COOLDOWN})
    default void when_one_is_closed_none_is_granted() {
        here().release(take(worker("bob").asks(B, Terms.PLAIN.withCooldown(MINUTE))));

        Acquisition obstacle = none(here().acquireAll(asks(worker("alice"), A, B)));

        assertThat(obstacle).isInstanceOf(Acquisition.Cooling.class);
        assertThat(here().find(A)).isEmpty();
        assertThat(current(B).isHeld()).isFalse();
    }

    @Test
    @Rule({Catalogue.SETS, Catalogue.A6, Catalogue.REPEATS})
    default void the_same_holder_asking_again_gets_its_set_back() {
        Worker alice = worker("alice");
        List<Lock> first = all(here().acquireAll(asks(alice, A, B)));

        List<Lock> again = all(here().acquireAll(asks(alice, A, B)));

        assertThat(again.stream().map(Lock::token))
                .containsExactlyElementsOf(first.stream().map(Lock::token).toList());
    }

    @Test
    @Rule(Catalogue.SETS)
    default void what_the_holder_has_already_is_no_obstacle() {
        Worker alice = worker("alice");
        Lock held = take(alice.asks(A));

        List<Lock> locks = all(here().acquireAll(asks(alice, A, B)));

        assertThat(locks.getFirst().token()).isEqualTo(held.token());
        assertThat(current(B).holder()).isEqualTo(alice.holder());
    }

    @Test
    @Rule(Catalogue.SETS)
    default void a_refused_set_leaves_what_the_holder_had() {
        Worker alice = worker("alice");
        Lock held = take(alice.asks(A));
        take(worker("bob").asks(B));

        none(here().acquireAll(asks(alice, A, B)));

        assertThat(current(A).token()).isEqualTo(held.token());
        assertThat(current(A).status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    @Rule({Catalogue.SETS, Catalogue.ACQUIRE})
    default void expired_members_of_a_set_are_taken_over() {
        Lock before = take(worker("bob").asks(B));

        age(LEASE);
        List<Lock> locks = all(here().acquireAll(asks(worker("alice"), A, B)));

        assertThat(locks.getLast().token()).isGreaterThan(before.token());
    }

    @Test
    @Rule({Catalogue.SETS, Catalogue.H6})
    default void a_set_does_not_pass_those_who_wait_for_a_member() {
        Lock lock = take(worker("bob").asks(B, Terms.PLAIN.withCooldown(MINUTE)));
        here().release(lock);
        lineUp(worker("carol").asks(B));

        assertThat(none(here().acquireAll(asks(worker("alice"), A, B)))).isInstanceOf(Acquisition.Held.class);
        assertThat(here().find(A)).isEmpty();
    }

    @Test
    @Rule({Catalogue.SETS, Catalogue.LEASES})
    default void a_set_on_an_ended_lease_is_not_granted() {
        Worker alice = worker("alice");
        take(alice.asks(C));
        here().end(alice.lease());

        assertThatThrownBy(() -> here().acquireAll(asks(alice, A, B))).isInstanceOf(LeaseEnded.class);
        assertThat(here().find(A)).isEmpty();
        assertThat(here().find(B)).isEmpty();
    }

    @Test
    @Rule(Catalogue.SETS)
    default void the_members_of_a_set_are_released_one_by_one() {
        List<Lock> locks = all(here().acquireAll(asks(worker("alice"), A, B)));

        assertThat(here().release(locks.getFirst())).isEqualTo(RELEASED);

        granted(there().acquire(worker("bob").asks(A)));
        assertThat(current(B).isHeld()).isTrue();
    }

    @Test
    @Rule({Catalogue.SETS, Catalogue.A11})
    default void sets_in_different_orders_neither_deadlock_nor_share() {
        List<LockName> names = List.of(A, B, C, NAME, OTHER);

        List<Integer> grants = Together.run(8, number -> {
            List<LockName> order = new ArrayList<>(names);
            Collections.rotate(order, number);
            int granted = 0;
            for (int round = 0; round < 10; round++) {
                Worker worker = worker("w" + number + "-" + round);
                SetAcquisition answer = either(number)
                        .acquireAll(order.stream().map(worker::asks).toList());
                if (answer instanceof SetAcquisition.AllGranted(List<Lock> locks)) {
                    granted++;
                    assertThat(locks).allSatisfy(lock -> {
                        assertThat(current(lock.name()).token()).isEqualTo(lock.token());
                        assertThat(either(number).release(lock)).isEqualTo(RELEASED);
                    });
                }
            }
            return granted;
        });

        assertThat(grants.stream().mapToInt(Integer::intValue).sum()).isPositive();
        assertThat(names).allSatisfy(name -> assertThat(current(name).isHeld()).isFalse());
    }

    private static List<Ask> asks(Worker worker, LockName... names) {
        return Stream.of(names).map(worker::asks).toList();
    }

    private static List<Lock> all(SetAcquisition answer) {
        assertThat(answer).isInstanceOf(SetAcquisition.AllGranted.class);
        return ((SetAcquisition.AllGranted) answer).locks();
    }

    private static Acquisition none(SetAcquisition answer) {
        assertThat(answer).isInstanceOf(SetAcquisition.NoneGranted.class);
        return ((SetAcquisition.NoneGranted) answer).obstacle();
    }
}
