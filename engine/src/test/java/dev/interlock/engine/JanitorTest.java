package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.LockName;
import dev.interlock.core.Locks;
import dev.interlock.core.Settings;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Terms;
import dev.interlock.core.janitor.Brake;
import dev.interlock.core.janitor.Census;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.memory.Memory;
import dev.interlock.memory.MemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JanitorTest {
    private static final Finding GONE = new Finding.GoneWorker("host:1:a");
    private static final Finding OTHER = new Finding.GoneWorker("host:2:b");
    private static final Finding LOST =
            new Finding.ExpiredAttempt("exec-1", "prod/db", 1, 7, "host:1:a", Shelf.NOON.minusSeconds(20));
    private static final Finding HIDDEN = new Finding.OrphanedLock("prod/db", 7, "exec-1", "host:1:a");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualPorts time = new ManualPorts(7);
    private final Memory memory = new Memory(() -> Shelf.NOON.plus(time.elapsed()));
    private final Shelf shelf = new Shelf();
    private final List<String> seals = new CopyOnWriteArrayList<>();
    private final List<Deed> observed = new CopyOnWriteArrayList<>();
    private final Duties duties =
            Duties.DEFAULT.withSealer(() -> seals.add("sealed")).withObserver(observed::add);

    private Locks locks(String owner) {
        return new Locks(new MemoryLockStore(memory), new Identity(owner, "janitor"), Settings.DEFAULT, time.ports());
    }

    private Janitor janitor(String owner) {
        return new Janitor(shelf, locks(owner), duties, time.ports());
    }

    @AfterEach
    void nothing_has_crashed() {
        assertThat(time.crashes()).isEmpty();
    }

    @Test
    void a_round_puts_right_what_lies_about_and_what_is_hidden() {
        shelf.lying.add(LOST);
        shelf.hidden.add(HIDDEN);

        Sweep sweep = janitor("a").tick();

        assertThat(sweep)
                .isEqualTo(new Sweep(
                        List.of(new Deed.Done(LOST, ""), new Deed.Done(HIDDEN, "")), List.of(), Brake.Off.OFF, 0));
        assertThat(observed).isEqualTo(sweep.deeds());
        assertThat(seals).hasSize(1);
    }

    @Test
    void a_dry_run_shows_the_same_and_does_nothing() {
        shelf.lying.add(LOST);
        shelf.hidden.add(HIDDEN);

        assertThat(janitor("a").dryRun()).isEqualTo(new Sweep(List.of(), List.of(LOST, HIDDEN), Brake.Off.OFF, 0));
        assertThat(shelf.statements).doesNotContain("act");
        assertThat(seals).isEmpty();
    }

    @Test
    void nobody_is_judged_while_the_store_has_just_come_back_but_the_rest_is_done() {
        shelf.lying.addAll(List.of(LOST, GONE));
        shelf.census = new Census(Shelf.NOON, Shelf.NOON.minusSeconds(5), null, 1, 1, null, Duration.ofSeconds(30));

        Sweep sweep = janitor("a").tick();

        assertThat(sweep.deeds()).containsExactly(new Deed.Done(GONE, ""));
        assertThat(sweep.heldBack()).containsExactly(LOST);
        assertThat(shelf.lying).containsExactly(LOST);
    }

    @Test
    void one_that_cannot_be_put_right_keeps_nobody_else_from_it_and_is_left_alone_for_a_minute() {
        shelf.lying.addAll(List.of(GONE, OTHER));
        shelf.stuck.add(GONE);
        try (Janitor janitor = janitor("a")) {
            janitor.start();
            time.advance(SECOND.multipliedBy(30));

            assertThat(observed)
                    .containsExactly(new Deed.Failed(GONE, "this row makes no sense"), new Deed.Done(OTHER, ""));

            shelf.stuck.clear();
            time.advance(SECOND.multipliedBy(60));
            assertThat(shelf.lying).isEmpty();
            closed(janitor);
        }
    }

    @Test
    void a_store_that_cannot_answer_ends_the_round_and_not_the_janitor() {
        shelf.away = new StoreUnavailable(StoreUnavailable.Kind.UNREACHABLE, "It is away.");
        assertThatThrownBy(() -> janitor("a").tick()).isSameAs(shelf.away);
        try (Janitor janitor = janitor("a")) {
            janitor.start();
            time.advance(SECOND.multipliedBy(30));
            shelf.lying.add(GONE);
            shelf.away = null;

            time.advance(SECOND.multipliedBy(10));

            assertThat(shelf.lying).isEmpty();
            closed(janitor);
        }
    }

    @Test
    void an_inspection_that_fails_keeps_nobody_from_what_was_seen() {
        shelf.lying.add(LOST);
        shelf.blind = new StoreUnavailable(StoreUnavailable.Kind.UNREACHABLE, "It took too long.");

        assertThat(janitor("a").tick().deeds()).containsExactly(new Deed.Done(LOST, ""));
        assertThat(seals).hasSize(1);
    }

    @Test
    void an_idle_janitor_asks_one_statement_every_five_seconds() {
        try (Janitor janitor = janitor("a")) {
            janitor.start();
            time.advance(SECOND);
            shelf.statements.clear();

            time.advance(SECOND.multipliedBy(50));

            assertThat(shelf.statements).hasSize(10).containsOnly("look");
            closed(janitor);
        }
    }

    @Test
    void while_something_runs_it_looks_every_second_and_inspects_every_minute() {
        shelf.census =
                new Census(Shelf.NOON, Shelf.NOON.minus(Duration.ofDays(1)), null, 3, 0, null, Duration.ofSeconds(30));
        try (Janitor janitor = janitor("a")) {
            janitor.start();
            time.advance(SECOND.multipliedBy(119));

            assertThat(shelf.statements).filteredOn("look"::equals).hasSize(120);
            assertThat(shelf.statements)
                    .filteredOn(said -> said.startsWith("inspect"))
                    .containsExactly("inspect PT10M", "inspect PT3M");
            closed(janitor);
        }
    }

    @Test
    void of_two_janitors_one_acts_and_the_other_follows_when_it_is_closed() {
        try (Janitor first = janitor("a");
                Janitor second = janitor("b")) {
            first.start();
            time.advance(SECOND);
            second.start();
            time.advance(SECOND.multipliedBy(29));
            assertThat(shelf.statements).filteredOn("look"::equals).hasSize(7);
            assertThat(owner()).isEqualTo("a");

            closed(first);
            time.advance(Duration.ZERO);

            assertThat(owner()).isEqualTo("b");
            closed(second);
        }
    }

    @Test
    void a_leader_that_dies_is_followed_as_soon_as_its_lease_is_over() {
        Lease lease = new Lease(time.ports().randomId(), "a", "janitor", SECOND.multipliedBy(10));
        new MemoryLockStore(memory)
                .acquire(new Ask(
                        LockName.of(Janitor.LOCK), new Holder("exec-dead", 1, "a", "janitor"), lease, Terms.PLAIN));
        try (Janitor second = janitor("b")) {
            second.start();
            time.advance(SECOND.multipliedBy(9));
            memory.settle();
            assertThat(shelf.statements).isEmpty();

            time.advance(SECOND.multipliedBy(1));
            memory.settle();
            time.advance(Duration.ZERO);

            assertThat(owner()).isEqualTo("b");
            assertThat(shelf.statements).contains("look");
            closed(second);
        }
    }

    private String owner() {
        return new MemoryLockStore(memory)
                .find(LockName.of(Janitor.LOCK))
                .orElseThrow()
                .holder()
                .owner();
    }

    private void closed(Janitor janitor) {
        time.call(() -> {
            janitor.close();
            return "closed";
        });
    }
}
