package dev.interlock.contract;

import static dev.interlock.contract.Answers.RELEASED;
import static dev.interlock.contract.Answers.handed;
import static dev.interlock.contract.Answers.refused;
import static dev.interlock.contract.Answers.unseen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Place;
import dev.interlock.core.Renewal;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names are free text; two of them never share a lock. */
interface NameContract extends Scene {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "0",
                "null",
                "production/deployment/payment-api",
                "two words, a comma; a semicolon",
                "C:\\Users\\ops\\state.tfstate",
                "../../etc/passwd",
                "'; DROP TABLE lock; --",
                "\" OR 1=1 --",
                "$1 :name ? {} %s %d",
                "100% _done_",
                "<script>alert(1)</script>",
                "Größe/Straße/ÅÄÖ",
                "データベース/本番",
                "قاعدة البيانات",
                "בסיס-נתונים",
                "👩‍👩‍👧‍👦/deploy",
                "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
                "e\u0301\u0327\u0323",
                "\uFFFD\uFFFC",
            })
    @Rule({Catalogue.NAMES, Catalogue.IN4})
    default void any_name_serves_every_verb(String text) {
        everyVerb(LockName.of(text));
    }

    @Test
    @Rule(Catalogue.NAMES)
    default void the_longest_name_serves_every_verb() {
        everyVerb(LockName.of("x".repeat(LockName.MAX_LENGTH)));
        everyVerb(LockName.of("𝔵".repeat(LockName.MAX_LENGTH)));
    }

    private void everyVerb(LockName name) {
        Worker bob = worker("bob");
        Lock first = take(worker("alice").asks(name));
        assertThat(first.name()).isEqualTo(name);
        assertThat(refused(there().acquire(bob.asks(name))).name()).isEqualTo(name);
        Place place = lineUp(bob.asks(name));
        assertThat(here().renew(first)).isInstanceOf(Renewal.Renewed.class);
        assertThat(here().waiters(name)).hasSize(1);
        assertThat(here().release(first)).isEqualTo(RELEASED);
        Lock second = handed(place);
        assertThat(unseen(there().find(name).orElseThrow())).isEqualTo(unseen(second));
        assertThat(listed(new LockFilter(LockFilter.ALL.statuses(), name.value(), null, null, null)))
                .containsExactly(unseen(second));
        here().force(Answers.forceNow(second));
        assertThat(there().history(name, Page.Request.FIRST).items().stream().map(Past::event))
                .contains(Past.Event.RELEASED, Past.Event.REFUSED, Past.Event.FORCED);
    }

    private List<Lock> listed(LockFilter filter) {
        return there().list(filter, Page.Request.FIRST).items().stream()
                .map(Answers::unseen)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a/b | a-b",
                "a/b | a_b",
                "a/b | a.b",
                "a/b | a\\b",
                "a/b | a//b",
                "a/b | a/b/",
                "a/b | A/b",
                "a b | a  b",
                "ab | a‍b",
                "straße | strasse",
                "İ | i",
                "ﬁ | fi",
                "а | a",
                "１ | 1",
                "é | e",
                "x% | x_",
                "10 | 1e1",
                "Aa | BB",
            })
    @Rule({Catalogue.NAMES, Catalogue.HAZARD_5, Catalogue.IN2})
    default void names_that_resemble_each_other_are_two_locks(String one, String other) {
        Lock first = take(worker("alice").asks(LockName.of(one)));
        Lock second = take(worker("bob").asks(LockName.of(other)));

        assertThat(unseen(current(LockName.of(one)))).isEqualTo(unseen(first));
        assertThat(unseen(current(LockName.of(other)))).isEqualTo(unseen(second));
    }

    @Test
    @Rule({Catalogue.NAMES, Catalogue.HAZARD_5})
    default void long_names_that_differ_in_their_last_character_are_two_locks() {
        String prefix = "x".repeat(LockName.MAX_LENGTH - 1);

        take(worker("alice").asks(LockName.of(prefix + "a")));
        take(worker("bob").asks(LockName.of(prefix + "b")));
    }

    @Test
    @Rule({Catalogue.NAMES, Catalogue.IN2})
    default void two_spellings_of_one_name_are_one_lock() {
        take(worker("alice").asks(LockName.of("caf\u00e9")));

        refused(there().acquire(worker("bob").asks(LockName.of("cafe\u0301"))));
    }

    @Test
    @Rule({Catalogue.NAMES, Catalogue.IN4})
    default void the_holders_own_words_come_back_as_they_were() {
        String owner = "ci-7:42:'; DROP TABLE lease; --";
        String user = "Zoë \"O'Neil\" <zoë@例え.jp> 👩‍🚀 %s $1 \\";
        String execution = "ü".repeat(256);
        Holder holder = new Holder(execution, Integer.MAX_VALUE, owner, user);
        Worker worker = new Worker(holder, new Lease(UUID.randomUUID(), owner, user, LEASE));

        Lock lock = take(worker.asks(NAME));

        assertThat(lock.holder()).isEqualTo(holder);
        assertThat(current(NAME).holder()).isEqualTo(holder);
        assertThat(listed(new LockFilter(LockFilter.ALL.statuses(), null, owner, user, execution)))
                .containsExactly(unseen(lock));
    }
}
