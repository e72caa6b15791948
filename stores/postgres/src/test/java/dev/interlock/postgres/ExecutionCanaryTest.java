package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.contract.work.Declared;
import dev.interlock.contract.work.ExecutionStoreContract;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The rules of executions must notice a store that is broken: here one whose statements lack something. */
class ExecutionCanaryTest {
    /**
     * A store that is broken in one way.
     *
     * @param function the function in the database that is changed
     * @param sound the part of it that is replaced
     */
    record Canary(String flaw, String function, String sound, String broken, String caughtBy) {
        @Override
        public String toString() {
            return flaw;
        }
    }

    private static final List<Canary> CANARIES = List.of(
            new Canary(
                    "passes those who are ahead",
                    "start",
                    "(x.submitted_at, x.id) < (e.submitted_at, e.id)",
                    "false",
                    "priority_does_not_change_the_order_of_one_target"),
            new Canary(
                    "leaves the next in line parked",
                    "promote",
                    "f.turn = 'PARKED'",
                    "false",
                    "what_waits_is_ready_as_soon_as_the_one_before_has_ended"),
            new Canary(
                    "overlooks who is parked behind what has completed",
                    "complete",
                    "x.turn = 'PARKED'",
                    "false",
                    "what_waits_is_ready_as_soon_as_the_one_before_has_ended"),
            new Canary(
                    "takes a lock that somebody holds",
                    "start",
                    "NOT k.held AND NOT k.queued",
                    "NOT k.queued",
                    "a_target_whose_lock_somebody_holds_waits_until_it_is_free"),
            new Canary(
                    "believes any token",
                    "complete",
                    "k.token = f.token",
                    "k.token > 0",
                    "an_earlier_attempt_cannot_end_a_later_one"),
            new Canary(
                    "keeps the lock of what has completed",
                    "complete",
                    "SET held = false",
                    "SET held = true",
                    "completion_ends_the_execution_and_frees_the_target"),
            new Canary(
                    "starts on a lease that has ended",
                    "carry",
                    "e.expires_at <= clock_timestamp()",
                    "false",
                    "nothing_starts_on_a_lease_that_has_ended"),
            new Canary(
                    "hands over past those who are ahead elsewhere",
                    "heirs",
                    "x.turn = 'READY'",
                    "false",
                    "nobody_who_is_ahead_elsewhere_is_passed"),
            new Canary(
                    "hands over on a lease that has ended",
                    "heirs",
                    "l.expires_at > clock_timestamp()",
                    "true",
                    "nothing_is_handed_over_on_a_lease_that_has_ended"),
            new Canary(
                    "hands over more than there is room for",
                    "heirs",
                    "LIMIT p_most",
                    "LIMIT 1000",
                    "no_more_start_than_there_is_room_for"),
            new Canary(
                    "leaves the next in line parked when a worker was lost",
                    "take_over",
                    "PERFORM interlock.promote(ARRAY[e.target]);",
                    "",
                    "a_lost_attempt_that_may_not_be_repeated_fails_is_a_dead_letter_and_lets_the_next_one_start"),
            new Canary(
                    "judges whoever is granted for ever",
                    "over_at",
                    "least(e.expires_at, e.ended_at, l.ends_at)",
                    "e.renewed_at - interval '1 day'",
                    "where_all_is_well_nothing_is_found"),
            new Canary(
                    "destroys what a person destroys already",
                    "may_expire",
                    "x.phase = 'PENDING'",
                    "false",
                    "where_a_person_destroys_already_nothing_more_is_asked_for"),
            new Canary(
                    "keeps what was sent again twice",
                    "append_log",
                    "WHERE u.upto > v_upto",
                    "WHERE true",
                    "what_is_sent_again_after_a_lost_answer_is_kept_once"));

    private static Server server;
    private static PGSimpleDataSource database;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("canaries");
        ExecutionsOnCanary.database = database;
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    static List<Canary> canaries() {
        return CANARIES;
    }

    private String healed = "";

    @AfterEach
    void heal() {
        if (!healed.isEmpty()) {
            Server.execute(database, healed);
        }
    }

    @ParameterizedTest
    @MethodSource("canaries")
    void a_broken_store_is_noticed_and_a_sound_one_is_not(Canary canary) throws Exception {
        assertThat(fails(canary.caughtBy)).as("a sound store").isFalse();
        String sound = definition(canary.function);
        assertThat(sound).contains(canary.sound);
        healed = sound;
        Server.execute(database, sound.replace(canary.sound, canary.broken));

        assertThat(fails(canary.caughtBy)).as(canary.flaw).isTrue();
    }

    @Test
    void every_canary_names_a_rule() {
        assertThat(CANARIES).allSatisfy(canary -> rule(canary.caughtBy));
    }

    private static String definition(String function) throws Exception {
        return (String) Session.askOnce(database, "SELECT pg_get_functiondef(('interlock.' || ?)::regproc)", function);
    }

    private static boolean fails(String rule) throws Exception {
        ExecutionsOnCanary store = new ExecutionsOnCanary();
        store.open(Declared.ALL);
        try {
            Method method = rule(rule);
            method.invoke(store);
            return false;
        } catch (InvocationTargetException e) {
            return true;
        } finally {
            store.close();
        }
    }

    private static Method rule(String name) {
        return Stream.of(ExecutionStoreContract.class.getInterfaces())
                .flatMap(rules -> Stream.of(rules.getDeclaredMethods()))
                .filter(method -> method.getName().equals(name))
                .peek(method -> method.setAccessible(true))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no such rule: " + name));
    }

    /** The contract on the database of the canaries; its rules are called one by one. */
    private static final class ExecutionsOnCanary extends ExecutionsOn {
        private static PGSimpleDataSource database;

        @Override
        PGSimpleDataSource database() {
            return database;
        }
    }
}
