package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.ResourceStore;
import dev.interlock.core.work.ResourceStore.Kept;
import dev.interlock.core.work.ResourceStore.Registration;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresResourcesTest extends WorkDatabase {
    private static final Lifecycle DOOR = Doors.door(Doors.BY_NAME);
    private static final LockName FRONT = LockName.of("doors/front");
    private static final LockName BACK = LockName.of("doors/back");
    private static final Map<String, String> FIELDS = Map.of("name", "\"ö\\", "floor", "", "colour", "red");
    private static final Duration DAY = Duration.ofHours(24);

    @BeforeEach
    void declare() {
        here.catalogue().publish(Doors.only(DOOR), "alice");
    }

    private static Registration front(ResourceStore store) {
        return store.register(FRONT, "door", FIELDS, DAY, "alice");
    }

    private static Kept registered(Registration answer) {
        assertThat(answer).isInstanceOf(Registration.Registered.class);
        return ((Registration.Registered) answer).resource();
    }

    @Test
    void a_resource_is_born_in_the_initial_state() throws SQLException {
        Kept kept = registered(front(here.resources()));
        assertThat(kept)
                .isEqualTo(new Kept(
                        FRONT, Resource.born(DOOR), FIELDS, kept.registeredAt().plus(DAY), kept.registeredAt()));
        assertThat(elsewhere.resources().find(FRONT)).contains(kept);
        assertThat(elsewhere.resources().find(BACK)).isEqualTo(Optional.empty());
        assertThat(events()).endsWith("REGISTERED doors/front by alice: Registered with lifecycle 'door'.");
    }

    @Test
    void its_time_to_live_is_counted_by_the_clock_of_the_store() throws SQLException {
        var before = other.now().toInstant();
        Kept kept = registered(front(here.resources()));
        assertThat(kept.registeredAt()).isBetween(before, other.now().toInstant());
    }

    @Test
    void a_repeat_changes_nothing_and_is_told_once() throws SQLException {
        Kept kept = registered(front(here.resources()));
        assertThat(front(elsewhere.resources())).isEqualTo(new Registration.Repeated(kept));
        assertThat(count("interlock.history WHERE event = 'REGISTERED'")).isEqualTo(1);
    }

    @Test
    void another_registration_of_the_same_target_is_refused() {
        Kept kept = registered(front(here.resources()));
        var different = new Registration.Different(kept);
        assertThat(here.resources().register(FRONT, "door", FIELDS, null, "bob"))
                .isEqualTo(different);
        assertThat(here.resources().register(FRONT, "door", FIELDS, DAY.plusSeconds(1), "bob"))
                .isEqualTo(different);
        assertThat(here.resources().register(FRONT, "door", Map.of("name", "x", "floor", "2"), DAY, "bob"))
                .isEqualTo(different);
        assertThat(here.resources().register(FRONT, "window", FIELDS, DAY, "bob"))
                .isEqualTo(different);
        assertThat(here.resources().find(FRONT)).contains(kept);
    }

    @Test
    void a_name_is_taken_until_its_resource_is_in_a_state_that_frees_it() throws SQLException {
        Kept kept = registered(front(here.resources()));
        assertThat(here.resources().register(BACK, "door", FIELDS, null, "bob"))
                .isEqualTo(new Registration.NameTaken(kept));
        assertThat(here.resources().find(BACK)).isEmpty();

        Session.askOnce(database, "UPDATE interlock.resource SET state = 'GONE', unique_name = NULL");
        assertThat(registered(here.resources().register(BACK, "door", FIELDS, null, "bob"))
                        .expiresAt())
                .isNull();
    }

    @Test
    void a_lifecycle_that_nobody_declared_is_told_with_the_nearest() {
        Registration unknown = here.resources().register(FRONT, "dor", FIELDS, null, "bob");
        assertThat(unknown).isEqualTo(new Registration.UnknownLifecycle("dor", List.of("door")));
        assertThat(unknown.sentence())
                .isEqualTo("Refused: nobody has declared a lifecycle 'dor'; the nearest is 'door'.");
    }

    @Test
    void what_tells_resources_apart_must_be_given() {
        assertThat(here.resources().register(FRONT, "door", Map.of("floor", "1"), null, "bob"))
                .isEqualTo(new Registration.MissingFields("door", List.of("name")));
    }

    @Test
    void fields_that_cannot_be_kept_are_refused() {
        assertThatThrownBy(() -> here.resources().register(FRONT, "door", Map.of("name", "a\0b"), null, "bob"))
                .hasMessage("Field 'name' must not contain the character U+0000.");
        assertThatThrownBy(() -> here.resources().register(FRONT, "door", Map.of(" ", ""), null, "bob"))
                .hasMessage("The name of a field must not be empty.");
        Map<String, String> many = IntStream.rangeClosed(0, ResourceStore.MOST_FIELDS)
                .boxed()
                .collect(Collectors.toMap(number -> "f" + number, number -> ""));
        assertThatThrownBy(() -> here.resources().register(FRONT, "door", many, null, "bob"))
                .hasMessage("A resource has at most 50 fields, not 51.");
    }

    /** Both begin and see no such name; the first commits; the second must find that the name is taken. */
    @Test
    void of_two_who_register_one_name_at_once_one_gets_it() throws Exception {
        other.ask("SELECT 1 FROM interlock.lifecycle FOR UPDATE");
        var one = Session.beside(() -> here.resources().register(FRONT, "door", FIELDS, null, "alice"));
        var two = Session.beside(() -> elsewhere.resources().register(BACK, "door", FIELDS, null, "bob"));
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(List.of(one.join(), two.join()))
                .hasAtLeastOneElementOfType(Registration.Registered.class)
                .hasAtLeastOneElementOfType(Registration.NameTaken.class);
        assertThat(count("interlock.resource")).isEqualTo(1);
        assertThat(count("interlock.history WHERE event = 'REGISTERED'")).isEqualTo(1);
    }

    /** Bob's registration meets one of the same name that is not committed, and that is undone after all. */
    @Test
    void a_registration_that_was_undone_takes_no_name() throws Exception {
        other.ask("""
                INSERT INTO interlock.resource (target, lifecycle, state, unique_name, registered_by, registered_at)
                SELECT 'doors/ghost', 'door', 'NEW', interlock.unique_name(unique_fields, free_in, 'NEW', ?::jsonb), 'x', now()
                  FROM interlock.lifecycle""", Json.object(FIELDS));
        var bobs = Session.beside(() -> here.resources().register(BACK, "door", FIELDS, null, "bob"));
        Session.awaitBlocked(database, 1);

        other.rollback();

        assertThat(bobs.join()).isInstanceOf(Registration.Registered.class);
    }

    /** A registration begins under the old rule of names and gets its turn under the new one, which it must obey. */
    @Test
    void a_registration_obeys_the_rule_that_is_in_force_when_it_is_written() throws Exception {
        other.ask("SELECT 1 FROM interlock.lifecycle FOR UPDATE");
        var front = Session.beside(() -> here.resources().register(FRONT, "door", FIELDS, null, "alice"));
        Session.awaitBlocked(database, 1);

        other.ask("UPDATE interlock.lifecycle SET unique_fields = '{colour}'");
        other.commit();

        registered(front.join());
        assertThat(Session.askOnce(database, "SELECT array_to_string(unique_name, '/') FROM interlock.resource"))
                .isEqualTo("red");
    }

    @Test
    void resources_are_listed_in_pages_and_by_lifecycle_and_state() throws SQLException {
        here.catalogue().publish(Doors.only(Doors.door(null)), "alice");
        for (String name : List.of("c", "a", "Z", "ä", "b")) {
            registered(here.resources().register(LockName.of(name), "door", Map.of(), null, "alice"));
        }
        Page<Kept> first = here.resources().list(null, null, new Page.Request(null, 3));
        Page<Kept> second = here.resources().list(null, null, new Page.Request(first.next(), 3));
        assertThat(first.items()).extracting(kept -> kept.target().value()).containsExactly("Z", "a", "b");
        assertThat(second.items()).extracting(kept -> kept.target().value()).containsExactly("c", "ä");
        assertThat(second.next()).isNull();

        Session.askOnce(database, "UPDATE interlock.resource SET state = 'SHUT', under = 'exec-1' WHERE target = 'b'");
        assertThat(here.resources().list("door", "SHUT", Page.Request.FIRST).items())
                .extracting(Kept::resource)
                .containsExactly(new Resource(Doors.door(null), "SHUT", "exec-1"));
        assertThat(here.resources().list("window", null, Page.Request.FIRST).items())
                .isEmpty();
    }

    @Test
    void the_history_of_a_lock_tells_nothing_of_the_resource() {
        front(here.resources());
        assertThat(here.locks().history(FRONT, Page.Request.FIRST).items()).isEmpty();
    }
}
