package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.LockName;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.work.CatalogueStore.Publication;
import dev.interlock.core.work.ResourceStore.Registration;
import dev.interlock.core.workflow.Workflow;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PostgresCatalogueTest extends WorkDatabase {
    private static final Catalogue ALL =
            new Catalogue(Map.of("ring", Doors.RING), Map.of("door", Doors.door(Doors.BY_NAME)));
    private static final Publication NOTHING = new Publication.Published(List.of());

    private long version() throws SQLException {
        return (Long) Session.askOnce(database, "SELECT catalogue FROM interlock.store");
    }

    @Test
    void what_was_published_is_read_as_it_was() {
        assertThat(here.catalogue().catalogue()).isEqualTo(Catalogue.EMPTY);
        assertThat(here.catalogue().publish(ALL, "alice"))
                .isEqualTo(
                        new Publication.Published(List.of("Declared lifecycle 'door'.", "Declared workflow 'ring'.")));
        assertThat(elsewhere.catalogue().catalogue()).isEqualTo(ALL);
    }

    @Test
    void what_did_not_change_is_not_written() throws SQLException {
        here.catalogue().publish(ALL, "alice");
        assertThat(here.catalogue().publish(ALL, "bob")).isEqualTo(NOTHING);
        assertThat(version()).isEqualTo(1);

        Workflow louder = Doors.RING.withCommand(List.of("gong"));
        Catalogue both = new Catalogue(Map.of("ring", louder, "knock", Workflow.plain("knock")), ALL.lifecycles());
        assertThat(here.catalogue().publish(both, "bob"))
                .isEqualTo(
                        new Publication.Published(List.of("Declared workflow 'knock'.", "Changed workflow 'ring'.")));
        assertThat(here.catalogue().catalogue()).isEqualTo(both);
        assertThat(version()).isEqualTo(2);
        assertThat(events()).isEqualTo("""
                PUBLISHED door by alice: Declared lifecycle 'door'.
                PUBLISHED ring by alice: Declared workflow 'ring'.
                PUBLISHED knock by bob: Declared workflow 'knock'.
                PUBLISHED ring by bob: Changed workflow 'ring'.""");
    }

    @Test
    void what_is_not_published_again_stays() {
        here.catalogue().publish(ALL, "alice");
        here.catalogue().publish(Doors.only(Workflow.plain("knock")), "bob");
        assertThat(here.catalogue().catalogue().workflows()).containsOnlyKeys("ring", "knock");
        assertThat(here.catalogue().catalogue().lifecycles()).isEqualTo(ALL.lifecycles());
    }

    @Test
    void a_changed_lifecycle_replaces_its_workflows() {
        here.catalogue().publish(Doors.only(Doors.door(null, "LOST")), "alice");
        assertThat(here.catalogue().publish(Doors.only(Doors.door(null)), "alice"))
                .isEqualTo(new Publication.Published(List.of("Changed lifecycle 'door'.")));
        assertThat(here.catalogue().catalogue()).isEqualTo(Doors.only(Doors.door(null)));
    }

    @Test
    void a_change_that_would_strand_a_resource_is_refused_as_a_whole() throws SQLException {
        here.catalogue().publish(Doors.only(Doors.door(null, "LOST")), "alice");
        register("doors/1", Map.of());
        Session.askOnce(database, "UPDATE interlock.resource SET state = 'LOST'");

        Catalogue without = new Catalogue(Map.of("ring", Doors.RING), Map.of("door", Doors.door(null)));
        Publication refused = here.catalogue().publish(without, "bob");

        assertThat(refused).isEqualTo(new Publication.Stranding("door", "LOST", "doors/1"));
        assertThat(refused.sentence())
                .isEqualTo(
                        "Refused: resource 'doors/1' is in state 'LOST', which lifecycle 'door' would not have any more."
                                + " Keep the state until no resource is in it. See: interlock resources list --lifecycle door --state LOST");
        assertThat(here.catalogue().catalogue()).isEqualTo(Doors.only(Doors.door(null, "LOST")));
        assertThat(version()).isEqualTo(1);
    }

    @Test
    void a_new_rule_of_names_renames_what_is_there() throws SQLException {
        here.catalogue().publish(Doors.only(Doors.door(Doors.BY_NAME)), "alice");
        // Swapped, the name of each would be the old name of the other.
        register("doors/1", Map.of("name", "a", "floor", "b"));
        register("doors/2", Map.of("name", "b", "floor", "a"));
        Unique swapped = new Unique(Doors.words("floor", "name"), List.of(), 0);

        assertThat(here.catalogue().publish(Doors.only(Doors.door(swapped)), "alice"))
                .isInstanceOf(Publication.Published.class);
        assertThat(
                        Session.askOnce(
                                database,
                                "SELECT string_agg(array_to_string(unique_name, '/'), ' ' ORDER BY target) FROM interlock.resource"))
                .isEqualTo("b/a a/b");

        Unique byFloor = new Unique(Doors.words("building"), List.of(), 0);
        assertThat(here.catalogue().publish(Doors.only(Doors.door(byFloor)), "alice"))
                .isEqualTo(new Publication.SameName("door", "doors/1", "doors/2"));
        assertThat(here.catalogue().catalogue()).isEqualTo(Doors.only(Doors.door(swapped)));
    }

    /** Both begin and see nothing declared; the first commits; the second gets its turn and must look again. */
    @Test
    void of_two_who_publish_the_same_at_once_one_changes_something() throws Exception {
        other.ask("SELECT 1 FROM interlock.store FOR UPDATE");
        var one = Session.beside(() -> here.catalogue().publish(ALL, "alice"));
        var two = Session.beside(() -> elsewhere.catalogue().publish(ALL, "bob"));
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(List.of(one.join(), two.join()))
                .containsExactlyInAnyOrder(
                        NOTHING,
                        new Publication.Published(List.of("Declared lifecycle 'door'.", "Declared workflow 'ring'.")));
        assertThat(version()).isEqualTo(1);
        assertThat(count("interlock.history WHERE event = 'PUBLISHED'")).isEqualTo(2);
    }

    /**
     * Somebody who moves a door has read that it may become LOST, and holds the row of the lifecycle as everybody who
     * moves a resource does; a lifecycle without LOST is published; the door becomes LOST. Publishing must wait and see.
     */
    @Test
    void publishing_waits_for_whoever_moves_a_resource_by_the_old_declaration() throws Exception {
        here.catalogue().publish(Doors.only(Doors.door(null, "LOST")), "alice");
        register("doors/1", Map.of());
        other.ask("SELECT 1 FROM interlock.lifecycle WHERE name = 'door' FOR KEY SHARE");
        var publication = Session.beside(() -> elsewhere.catalogue().publish(Doors.only(Doors.door(null)), "bob"));
        Session.awaitBlocked(database, 1);

        other.ask("UPDATE interlock.resource SET state = 'LOST'");
        other.commit();

        assertThat(publication.join()).isEqualTo(new Publication.Stranding("door", "LOST", "doors/1"));
    }

    /** A canary: without that row the same interleaving strands the door, so the test above can fail. */
    @Test
    void whoever_does_not_hold_the_lifecycle_can_strand_a_resource() throws Exception {
        here.catalogue().publish(Doors.only(Doors.door(null, "LOST")), "alice");
        register("doors/1", Map.of());
        other.ask("UPDATE interlock.resource SET state = 'LOST'");
        assertThat(elsewhere.catalogue().publish(Doors.only(Doors.door(null)), "bob"))
                .isInstanceOf(Publication.Published.class);
        other.commit();
        assertThat(count("interlock.resource r JOIN interlock.lifecycle l ON l.name = r.lifecycle"
                        + " WHERE NOT r.state = ANY (l.states)"))
                .isEqualTo(1);
    }

    private void register(String target, Map<String, String> fields) {
        assertThat(here.resources().register(LockName.of(target), "door", fields, null, "alice"))
                .isInstanceOf(Registration.Registered.class);
    }
}
