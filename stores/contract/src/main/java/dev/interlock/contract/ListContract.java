package dev.interlock.contract;

import static dev.interlock.contract.Answers.force;
import static dev.interlock.contract.Answers.unseen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Waiter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Looking at locks without touching them. */
interface ListContract extends Scene {
    @Test
    @Rule({Catalogue.FIND, Catalogue.LIST})
    default void what_was_never_asked_for_is_not_there() {
        assertThat(here().find(NAME)).isEmpty();
        assertThat(here().waiters(NAME)).isEqualTo(List.<Waiter>of());
        assertThat(here().history(NAME, Page.Request.FIRST)).isEqualTo(new Page<>(List.of(), null));
        assertThat(here().list(LockFilter.ALL, Page.Request.FIRST)).isEqualTo(new Page<>(List.of(), null));
    }

    @Test
    @Rule({Catalogue.FIND, Catalogue.STATUS})
    default void a_lock_is_expired_from_the_moment_its_lease_has_ended() {
        Lock lock = take(worker("alice").asks(NAME));

        age(LEASE);

        Lock found = current(NAME);
        assertThat(found.status()).isEqualTo(Lock.Status.EXPIRED);
        assertThat(found.isHeld()).isFalse();
        assertThat(found.token()).isEqualTo(lock.token());
        assertThat(found.holder()).isEqualTo(lock.holder());
        assertThat(found.grant().expiresAt()).isBeforeOrEqualTo(found.seenAt());
    }

    @Test
    @Rule(Catalogue.FIND)
    default void looking_does_not_change_what_is_seen() {
        Worker alice = worker("alice");
        take(alice.asks(NAME));
        lineUp(worker("bob").asks(NAME));
        Lock before = current(NAME);

        for (int round = 0; round < 3; round++) {
            here().list(LockFilter.ALL, Page.Request.FIRST);
            here().waiters(NAME);
            here().history(NAME, Page.Request.FIRST);
        }

        assertThat(unseen(current(NAME))).isEqualTo(unseen(before));
    }

    @Test
    @Rule(Catalogue.FIND)
    default void the_stores_clock_is_in_every_answer() {
        Lock lock = take(worker("alice").asks(NAME));

        assertThat(lock.seenAt())
                .isBetween(lock.grant().acquiredAt(), lock.grant().expiresAt());
        assertThat(current(NAME).seenAt()).isAfterOrEqualTo(lock.seenAt());
    }

    @Test
    @Rule({Catalogue.LIST, Catalogue.STATUS})
    default void a_list_shows_the_locks_of_the_wanted_states() {
        LockName active = LockName.of("active");
        LockName releasing = LockName.of("releasing");
        LockName released = LockName.of("released");
        LockName expired = LockName.of("expired");
        take(worker("w").asks(expired));
        age(LEASE);
        take(worker("w").asks(active));
        here().force(force(take(worker("w").asks(releasing))));
        here().release(take(worker("w").asks(released)));

        assertThat(names(EnumSet.of(Lock.Status.ACTIVE))).containsExactly(active);
        assertThat(names(EnumSet.of(Lock.Status.RELEASING))).containsExactly(releasing);
        assertThat(names(EnumSet.of(Lock.Status.RELEASED))).containsExactly(released);
        assertThat(names(EnumSet.of(Lock.Status.EXPIRED))).containsExactly(expired);
        assertThat(names(EnumSet.of(Lock.Status.ACTIVE, Lock.Status.RELEASED))).containsExactly(active, released);
        assertThat(names(EnumSet.allOf(Lock.Status.class))).containsExactly(active, expired, released, releasing);
        assertThat(names(Set.of())).isEmpty();
    }

    @Test
    @Rule(Catalogue.LIST)
    default void a_list_shows_whole_records() {
        Lock one = take(worker("alice").asks(OTHER));
        take(worker("bob").asks(NAME));
        lineUp(worker("carol").asks(NAME));
        Lock waited = current(NAME);

        assertThat(there().list(LockFilter.ALL, Page.Request.FIRST).items().stream()
                        .map(Answers::unseen))
                .containsExactly(unseen(waited), unseen(one));
    }

    @Test
    @Rule(Catalogue.LIST)
    default void a_list_can_be_narrowed_to_an_owner_a_user_or_an_execution() {
        Worker alice = worker("alice");
        Worker bob = worker("bob");
        take(alice.asks(LockName.of("a")));
        take(alice.sibling("exec-2").asks(LockName.of("b")));
        take(bob.asks(LockName.of("c")));

        assertThat(names(filter(null, alice.holder().owner(), null, null)))
                .containsExactly(LockName.of("a"), LockName.of("b"));
        assertThat(names(filter(null, null, bob.holder().user(), null))).containsExactly(LockName.of("c"));
        assertThat(names(filter(null, null, null, "exec-2"))).containsExactly(LockName.of("b"));
        assertThat(names(filter("b", alice.holder().owner(), alice.holder().user(), "exec-2")))
                .containsExactly(LockName.of("b"));
        assertThat(names(filter(null, alice.holder().owner(), bob.holder().user(), null)))
                .isEmpty();
    }

    @Test
    @Rule({Catalogue.LIST, Catalogue.IN4})
    default void a_prefix_is_taken_literally() {
        for (String name : List.of("x%1", "x_1", "xa1", "x\\1", "X%2", "y%1")) {
            take(worker("w").asks(LockName.of(name)));
        }

        assertThat(names(filter("x%", null, null, null))).containsExactly(LockName.of("x%1"));
        assertThat(names(filter("x_", null, null, null))).containsExactly(LockName.of("x_1"));
        assertThat(names(filter("x\\", null, null, null))).containsExactly(LockName.of("x\\1"));
        assertThat(names(filter("x", null, null, null))).hasSize(4);
        assertThat(names(filter("", null, null, null))).hasSize(6);
    }

    /** Where the code units of a name do not sort as its characters do, and where a language sorts otherwise. */
    @Test
    @Rule(Catalogue.LIST)
    default void a_list_is_in_canonical_order() {
        List<LockName> names = Stream.of("Z", "a", "ä", "z", "a/b", "a-b", "a b", "\uFF5E", "😀", "𝔵", "B", "10", "9")
                .map(LockName::of)
                .toList();
        names.forEach(name -> take(worker("w").asks(name)));

        assertThat(names(LockFilter.ALL))
                .containsExactlyElementsOf(names.stream().sorted().toList());
    }

    @Test
    @Rule(Catalogue.LIST)
    default void pages_show_every_lock_once() {
        List<LockName> names = IntStream.range(100, 110)
                .mapToObj(number -> LockName.of("page/" + number))
                .toList();
        names.forEach(name -> take(worker("w").asks(name)));

        for (int size : List.of(1, 3, 5, 10, 11)) {
            List<LockName> seen = new ArrayList<>();
            int pages = 0;
            String after = null;
            do {
                Page<Lock> page = there().list(LockFilter.ALL, new Page.Request(after, size));
                assertThat(page.items()).isNotEmpty().hasSizeLessThanOrEqualTo(size);
                page.items().forEach(lock -> seen.add(lock.name()));
                after = page.next();
                pages++;
            } while (after != null);
            assertThat(seen).containsExactlyElementsOf(names);
            assertThat(pages).isEqualTo((names.size() + size - 1) / size);
        }
    }

    @Test
    @Rule(Catalogue.LIST)
    default void a_page_goes_on_where_the_one_before_ended_whatever_has_come_and_gone() {
        for (String name : List.of("a", "c", "e", "g")) {
            take(worker("w").asks(LockName.of(name)));
        }
        Page<Lock> first = there().list(LockFilter.ALL, new Page.Request(null, 2));

        take(worker("w").asks(LockName.of("b")));
        take(worker("w").asks(LockName.of("d")));

        assertThat(there().list(LockFilter.ALL, new Page.Request(first.next(), 10)).items().stream()
                        .map(Lock::name))
                .containsExactly(LockName.of("d"), LockName.of("e"), LockName.of("g"));
    }

    private List<LockName> names(Set<Lock.Status> statuses) {
        return names(new LockFilter(statuses, null, null, null, null));
    }

    private List<LockName> names(LockFilter filter) {
        return there().list(filter, Page.Request.FIRST).items().stream()
                .map(Lock::name)
                .toList();
    }

    private static LockFilter filter(
            @Nullable String prefix, @Nullable String owner, @Nullable String user, @Nullable String execution) {
        return new LockFilter(LockFilter.ALL.statuses(), prefix, owner, user, execution);
    }
}
