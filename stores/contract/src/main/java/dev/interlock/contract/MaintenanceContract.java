package dev.interlock.contract;

import static dev.interlock.contract.Answers.RELEASED;
import static dev.interlock.contract.Answers.forceNow;
import static dev.interlock.contract.Answers.granted;
import static dev.interlock.contract.Answers.handed;
import static dev.interlock.contract.Answers.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Forcing;
import dev.interlock.core.Lock;
import dev.interlock.core.Maintenance;
import dev.interlock.core.Place;
import dev.interlock.core.Terms;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A person holds a lock for maintenance, until a given time, without a heartbeat. */
interface MaintenanceContract extends Scene {
    Maintenance REASON = new Maintenance("replacing the disks; don't \"touch\" — bis morgen", "OPS-1234");
    Duration SHIFT = Duration.ofHours(8);

    @Test
    @Rule(Catalogue.MAINTENANCE)
    default void every_refusal_says_why_a_person_holds_the_lock() {
        Worker person = Worker.named("person", SHIFT);
        Lock lock = take(person.asks(NAME, Terms.PLAIN.withMaintenance(REASON)));

        assertThat(lock.grant().maintenance()).isEqualTo(REASON);
        assertThat(refused(there().acquire(worker("bob").asks(NAME))).grant().maintenance())
                .isEqualTo(REASON);
        assertThat(current(NAME).grant().maintenance()).isEqualTo(REASON);
    }

    @Test
    @Rule(Catalogue.MAINTENANCE)
    default void maintenance_needs_no_ticket() {
        Maintenance plain = new Maintenance("looking around", null);

        take(worker("person").asks(NAME, Terms.PLAIN.withMaintenance(plain)));

        assertThat(current(NAME).grant().maintenance()).isEqualTo(plain);
    }

    @Test
    @Rule(Catalogue.MAINTENANCE)
    default void maintenance_lasts_until_its_end_without_a_renewal() {
        Worker person = Worker.named("person", SHIFT);
        take(person.asks(NAME, Terms.PLAIN.withMaintenance(REASON)));

        age(SHIFT.minus(MINUTE));
        refused(there().acquire(worker("bob").asks(NAME)));
        age(MINUTE);

        assertThat(granted(there().acquire(worker("bob").asks(NAME))).grant().maintenance())
                .isNull();
    }

    @Test
    @Rule({Catalogue.MAINTENANCE, Catalogue.WAITING})
    default void maintenance_ends_when_the_person_says_so() {
        Worker bob = worker("bob");
        Lock lock = take(Worker.named("person", SHIFT).asks(NAME, Terms.PLAIN.withMaintenance(REASON)));
        Place place = lineUp(bob.asks(NAME));

        assertThat(there().release(lock)).isEqualTo(RELEASED);

        assertThat(handed(place).grant().maintenance()).isNull();
        assertThat(current(NAME).holder()).isEqualTo(bob.holder());
    }

    @Test
    @Rule({Catalogue.MAINTENANCE, Catalogue.FORCE})
    default void maintenance_can_be_ended_by_force() {
        Lock lock = take(Worker.named("person", SHIFT).asks(NAME, Terms.PLAIN.withMaintenance(REASON)));

        assertThat(there().force(forceNow(lock))).isInstanceOf(Forcing.Released.class);

        granted(there().acquire(worker("bob").asks(NAME)));
    }
}
