package dev.interlock.core.audit;

import static dev.interlock.core.audit.Events.NOON;
import static dev.interlock.core.audit.Events.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.audit.Events.Trail;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class VerifierTest {
    private final Trail trail = Trail.of(3);

    /** What may be done to a trail, and must be noticed. */
    private enum Tampering {
        CHANGE {
            @Override
            void on(Trail trail) {
                List<Event> events = trail.under.get(1);
                events.set(0, Events.with(events.getFirst(), "something else"));
            }
        },
        REMOVAL {
            @Override
            void on(Trail trail) {
                trail.under.get(1).remove(1);
            }
        },
        INSERTION {
            @Override
            void on(Trail trail) {
                trail.under.get(1).add(1, released(110, 99));
            }
        },
        SWAP {
            @Override
            void on(Trail trail) {
                List<Event> events = trail.under.get(1);
                Event first = events.get(0);
                Event second = events.get(1);
                events.set(0, Events.at(second, first.at()));
                events.set(1, Events.at(first, second.at()));
            }
        };

        abstract void on(Trail trail);
    }

    /** The checker: what a judge of trails does not notice. */
    private static Set<Tampering> unnoticed(Predicate<Trail> isWhole) {
        Set<Tampering> unnoticed = EnumSet.noneOf(Tampering.class);
        for (Tampering tampering : Tampering.values()) {
            Trail trail = Trail.of(3);
            tampering.on(trail);
            if (isWhole.test(trail)) {
                unnoticed.add(tampering);
            }
        }
        return unnoticed;
    }

    @Test
    void nothing_that_is_done_to_an_event_goes_unnoticed() {
        assertThat(unnoticed(trail -> trail.verified() instanceof Verification.Whole))
                .isEmpty();
    }

    @Test
    void a_chain_that_ignores_order_would_be_noticed() {
        assertThat(unnoticed(VerifierTest::isWholeInSomeOrder)).containsExactly(Tampering.SWAP);
    }

    private static boolean isWholeInSomeOrder(Trail trail) {
        for (int at = 0; at < trail.seals.size(); at++) {
            List<Long> listed = trail.seals.get(at).listed().stream()
                    .map(Seal.Listed::digest)
                    .sorted()
                    .toList();
            List<Long> found = trail.under.get(at).stream()
                    .map(event -> Chain.listed(event).digest())
                    .sorted()
                    .toList();
            if (!listed.equals(found)) {
                return false;
            }
        }
        return true;
    }

    @Test
    void an_untouched_trail_is_whole() {
        assertThat(trail.verified())
                .isEqualTo(new Verification.Whole(new Verification.Tally(
                        3, 9, 0, 0, NOON, trail.seals.getLast().hash())));
    }

    @Test
    void nothing_at_all_is_whole() {
        assertThat(new Verifier(true, null).answer())
                .isEqualTo(new Verification.Whole(new Verification.Tally(0, 0, 0, 0, null, null)));
    }

    @Test
    void a_changed_event_is_named() {
        Tampering.CHANGE.on(trail);
        assertThat(flaws()).containsExactly(new Flaw.Changed(trail.under.get(1).getFirst(), 2));
    }

    @Test
    void a_missing_event_is_named() {
        Tampering.REMOVAL.on(trail);
        assertThat(flaws()).containsExactly(new Flaw.Missing(new Position(110, 5), 2));
    }

    @Test
    void an_inserted_event_is_named() {
        Tampering.INSERTION.on(trail);
        assertThat(flaws()).containsExactly(new Flaw.Inserted(released(110, 99), 2));
    }

    @Test
    void a_second_event_in_the_place_of_one_is_named() {
        Event twin = Events.with(trail.under.get(1).getFirst(), "beside");
        trail.under.get(1).add(1, twin);
        assertThat(flaws()).containsExactly(new Flaw.Inserted(twin, 2));
    }

    @Test
    void reordered_events_are_named_with_the_places_they_had() {
        Tampering.SWAP.on(trail);
        List<Event> events = trail.under.get(1);
        assertThat(flaws())
                .containsExactly(
                        new Flaw.Reordered(events.get(0), events.get(1).at(), 2),
                        new Flaw.Reordered(events.get(1), events.get(0).at(), 2));
    }

    @Test
    void an_event_that_moved_to_another_transaction_is_named() {
        Event moved = Events.at(trail.under.get(1).get(1), new Position(113, 5));
        trail.under.get(1).set(1, moved);
        assertThat(flaws()).containsExactly(new Flaw.Reordered(moved, new Position(110, 5), 2));
    }

    @Test
    void everything_is_told_at_once() {
        List<Event> events = trail.under.get(0);
        Event changed = Events.with(events.get(0), "something else");
        events.set(0, changed);
        events.remove(2);
        trail.under.get(2).clear();
        assertThat(flaws())
                .containsExactly(
                        new Flaw.Changed(changed, 1),
                        new Flaw.Missing(new Position(105, 3), 1),
                        new Flaw.Missing(new Position(120, 7), 3),
                        new Flaw.Missing(new Position(120, 8), 3),
                        new Flaw.Missing(new Position(125, 9), 3));
    }

    @Test
    void a_seal_whose_words_were_changed_is_named() {
        Seal seal = trail.seals.get(1);
        trail.seals.set(1, sealedAt(seal, seal.hash()));
        assertThat(flaws()).containsExactly(new Flaw.SealChanged(2));
    }

    @Test
    void a_seal_that_was_made_anew_is_named_by_the_next_that_remembers_it() {
        Seal changed = sealedAt(trail.seals.get(1), "");
        trail.seals.set(1, changed.with(Chain.hash(changed)));
        assertThat(flaws()).containsExactly(new Flaw.SealChanged(2));
    }

    @Test
    void a_seal_whose_hash_was_changed_is_named_once() {
        trail.seals.set(1, trail.seals.get(1).with(Seal.NOTHING));
        assertThat(flaws()).containsExactly(new Flaw.SealChanged(2));
    }

    @Test
    void a_seal_whose_list_was_changed_is_named() {
        Seal seal = trail.seals.get(1);
        List<Seal.Listed> listed = new ArrayList<>(seal.listed());
        listed.sort(Comparator.comparing(Seal.Listed::at).reversed());
        trail.seals.set(1, listing(seal, listed));
        assertThat(flaws()).containsExactly(new Flaw.SealChanged(2));
    }

    @Test
    void missing_seals_are_named() {
        Trail longer = Trail.of(5);
        longer.seals.subList(1, 3).clear();
        longer.under.subList(1, 3).clear();
        assertThat(((Verification.Flawed) longer.verified()).flaws()).containsExactly(new Flaw.SealsMissing(2, 3));
        longer.seals.removeFirst();
        longer.under.removeFirst();
        assertThat(((Verification.Flawed) longer.verified()).flaws()).containsExactly(new Flaw.SealsMissing(1, 3));
    }

    @Test
    void events_that_were_pruned_are_counted_and_no_flaw() {
        trail.forget(0);
        trail.forget(1);
        trail.seal(List.of(Events.pruned(200, 50, 2)));
        assertThat(trail.verified())
                .isEqualTo(new Verification.Whole(new Verification.Tally(
                        4, 4, 6, 0, NOON, trail.seals.getLast().hash())));
    }

    @Test
    void events_that_are_gone_without_a_word_of_pruning_are_not_pruned() {
        trail.forget(0);
        trail.forget(1);
        assertThat(flaws()).containsExactly(new Flaw.NotPruned(1, 2));
        trail.seal(List.of(Events.pruned(200, 50, 1)));
        assertThat(flaws()).containsExactly(new Flaw.NotPruned(2, 2));
    }

    @Test
    void what_stands_where_events_were_pruned_was_inserted() {
        trail.forget(0);
        trail.under.getFirst().add(released(100, 1));
        trail.seal(List.of(Events.pruned(200, 50, 1)));
        assertThat(flaws()).containsExactly(new Flaw.Inserted(released(100, 1), 1));
    }

    @Test
    void a_chain_that_was_made_anew_as_a_whole_lacks_the_hash_that_was_written_down() {
        String noted = Trail.of(2).seals.getLast().hash();
        assertThat(verified(noted)).isInstanceOf(Verification.Whole.class);
        trail.seals.clear();
        trail.under.clear();
        trail.seal(List.of(released(7, 7)));
        assertThat(verified(noted))
                .isInstanceOfSatisfying(
                        Verification.Flawed.class,
                        flawed -> assertThat(flawed.flaws()).containsExactly(new Flaw.AnotherChain(noted)));
    }

    @Test
    void flaws_are_sentences() {
        assertThat(new Flaw.Missing(new Position(110, 5), 2).sentence())
                .isEqualTo("Event 110:5 is missing; it was there when seal 2 was made.");
        assertThat(new Flaw.Changed(released(110, 4), 2).sentence())
                .isEqualTo("Event 110:4 (RELEASED of 'prod/db', token 4) was changed after seal 2 was made.");
    }

    private Verification verified(String noted) {
        Verifier verifier = new Verifier(true, noted);
        for (int at = 0; at < trail.seals.size(); at++) {
            verifier.sealed(trail.seals.get(at), trail.under.get(at));
        }
        return verifier.answer();
    }

    private List<Flaw> flaws() {
        return ((Verification.Flawed) trail.verified()).flaws();
    }

    private static Seal sealedAt(Seal seal, String hash) {
        return new Seal(
                seal.number(),
                seal.era(),
                seal.from(),
                seal.to(),
                seal.count(),
                seal.newest(),
                NOON.plusSeconds(1),
                seal.listed(),
                seal.listing(),
                seal.contents(),
                seal.previous(),
                hash);
    }

    private static Seal listing(Seal seal, List<Seal.Listed> listed) {
        return new Seal(
                seal.number(),
                seal.era(),
                seal.from(),
                seal.to(),
                seal.count(),
                seal.newest(),
                seal.sealedAt(),
                listed,
                seal.listing(),
                seal.contents(),
                seal.previous(),
                seal.hash());
    }
}
