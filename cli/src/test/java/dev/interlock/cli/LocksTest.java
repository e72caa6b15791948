package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.Workbench.Said;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LocksTest {
    private final Workbench bench = new Workbench();

    private Said acquired(String name) {
        return bench.alice("locks", "acquire", name, "--execution", "exec-1", "--ttl", "10m", "-q");
    }

    @Test
    void acquire_prints_the_token_and_says_how_to_go_on() {
        assertThat(bench.alice("locks", "acquire", "prod/db", "--ttl", "10m"))
                .isEqualTo(new Said(
                        0,
                        "1\n",
                        "interlock: Acquired lock 'prod/db' with token 1, lease until 2026-11-16T12:10:00Z. Nobody keeps"
                                + " it: renew it with interlock locks renew prod/db --token 1\n"));
    }

    @Test
    void a_busy_lock_is_refused_and_its_holder_named() {
        acquired("prod/db");
        bench.pass(Duration.ofSeconds(15));
        assertThat(bench.bob("locks", "acquire", "prod/db"))
                .isEqualTo(new Said(
                        75,
                        "",
                        "interlock: Blocked: lock 'prod/db' is held by execution exec-1 (alice on alice-pc) since"
                                + " 12:00:00Z, lease until 12:10:00Z, token 1. Wait with --wait 10m, or see: interlock"
                                + " why prod/db\n"));
    }

    @Test
    void the_same_holder_asking_again_gets_its_grant_back() {
        String[] request = {"locks", "acquire", "x", "--execution", "e", "--attempt", "2", "--owner", "job-9", "-q"};
        assertThat(bench.alice(request)).isEqualTo(new Said(0, "1\n", ""));
        assertThat(bench.alice(request)).isEqualTo(new Said(0, "1\n", ""));
    }

    @Test
    void waiting_in_vain_has_its_own_exit_code_and_leaves_nothing_in_the_queue() {
        acquired("x");
        Said said = bench.bob("locks", "acquire", "x", "--wait", "50ms", "--execution", "exec-2");
        assertThat(said.code()).isEqualTo(124);
        assertThat(said.err()).startsWith("""
                interlock: Waiting for lock 'x': position 1; held for 0s by alice on alice-pc (execution exec-1).
                interlock: Gave up waiting for lock 'x' after 50 ms""");
        assertThat(bench.store().waiters(Given.name("x"))).isEmpty();
    }

    @Test
    void list_shows_who_holds_what() {
        acquired("prod/db");
        acquired("prod/web");
        bench.pass(Duration.ofSeconds(75));
        assertThat(bench.alice("locks", "list")).isEqualTo(new Said(0, """
                NAME      STATUS  HOLDER             EXECUTION  TOKEN  SINCE  LEASE  WAITING
                prod/db   active  alice on alice-pc  exec-1     1      1m15s  8m45s  0
                prod/web  active  alice on alice-pc  exec-1     1      1m15s  8m45s  0
                """, ""));
    }

    @Test
    void an_empty_list_says_so_beside_the_data() {
        assertThat(bench.alice("locks", "list"))
                .isEqualTo(
                        new Said(0, "", "interlock: No lock is held. Those that were: interlock locks list --all\n"));
        assertThat(bench.alice("locks", "list", "-o", "json"))
                .isEqualTo(new Said(0, "{\n  \"locks\": [],\n  \"next\": null,\n  \"faults\": []\n}\n", ""));
    }

    @Test
    void list_filters_and_pages() {
        acquired("prod/a");
        acquired("prod/b,c");
        acquired("test/a");
        Said filtered = bench.alice("locks", "list", "--filter", "prefix=prod/b,c,status=active,user=alice");
        assertThat(filtered.out().lines().skip(1)).hasSize(1).allMatch(line -> line.startsWith("prod/b,c "));
        Said first = bench.alice("locks", "list", "--limit", "2");
        assertThat(first.out().lines().skip(1)).hasSize(2);
        assertThat(first.err()).startsWith("interlock: There are more: go on with --after ");
        String cursor =
                first.err().strip().substring(first.err().lastIndexOf(' ') + 1).replace("'", "");
        assertThat(bench.alice("locks", "list", "--after", cursor).out().lines().skip(1))
                .hasSize(1)
                .allMatch(line -> line.startsWith("test/a "));
    }

    @Test
    void status_shows_everything_about_one_lock() {
        acquired("x");
        bench.pass(Duration.ofSeconds(10));
        assertThat(bench.alice("locks", "status", "x")).isEqualTo(new Said(0, """
                Lock         x
                Status       active
                Token        1
                Holder       alice on alice-pc
                Execution    exec-1
                Owner        alice-pc:7:ab12
                Held since   2026-11-16T12:00:00Z (10s ago)
                Renewed      2026-11-16T12:00:00Z (10s ago)
                Lease until  2026-11-16T12:10:00Z (in 9m50s)
                Waiting      0
                """, ""));
    }

    @Test
    void status_of_a_lock_that_was_never_held_says_that_it_is_free() {
        assertThat(bench.alice("locks", "status", "x"))
                .isEqualTo(new Said(0, "", "interlock: Lock 'x' is free: nobody has held it yet.\n"));
        assertThat(bench.alice("locks", "status", "x", "-o", "yaml").out()).isEqualTo("name: x\nstatus: null\n");
    }

    @Test
    void status_answers_programs_with_stable_fields() {
        acquired("x");
        assertThat(bench.alice("locks", "status", "x", "-o", "json").out()).isEqualTo("""
                {
                  "name": "x",
                  "status": "active",
                  "token": 1,
                  "holder": {
                    "execution": "exec-1",
                    "attempt": 1,
                    "owner": "alice-pc:7:ab12",
                    "host": "alice-pc",
                    "user": "alice"
                  },
                  "acquired_at": "2026-11-16T12:00:00Z",
                  "renewed_at": "2026-11-16T12:00:00Z",
                  "expires_at": "2026-11-16T12:10:00Z",
                  "maintenance": null,
                  "forced": null,
                  "closed_until": null,
                  "waiting": 0,
                  "seen_at": "2026-11-16T12:00:00Z",
                  "queue": []
                }
                """);
    }

    @Test
    void renew_needs_the_token_of_the_present_grant() {
        acquired("x");
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.alice("locks", "renew", "x", "--token", "1"))
                .isEqualTo(new Said(0, "", "interlock: Renewed lock 'x', lease until 2026-11-16T12:15:00Z.\n"));
        bench.pass(Duration.ofMinutes(10));
        bench.bob("locks", "acquire", "x", "--execution", "exec-2", "-q");
        assertThat(bench.alice("locks", "renew", "x", "--token", "1"))
                .isEqualTo(
                        new Said(
                                79,
                                "",
                                "interlock: Lock 'x' is not yours any more: it has been granted to another holder. It is held"
                                        + " by execution exec-2 (bob on bob-pc) with token 2. See: interlock locks history x\n"));
    }

    @Test
    void release_ends_the_grant_with_that_token_and_no_other() {
        acquired("x");
        assertThat(bench.bob("locks", "release", "x", "--token", "9").code()).isEqualTo(79);
        assertThat(bench.alice("locks", "release", "x", "--token", "1"))
                .isEqualTo(new Said(0, "", "interlock: Released lock 'x'.\n"));
        assertThat(bench.alice("locks", "release", "y", "--token", "1"))
                .isEqualTo(
                        new Said(
                                79,
                                "",
                                "interlock: The store knows no lock 'y': nobody has held it, or its record has been pruned.\n"));
    }

    @Test
    void force_tells_the_holder_to_stop_and_needs_a_reason() {
        acquired("x");
        assertThat(bench.bob("locks", "release", "x", "--force").code()).isEqualTo(64);
        assertThat(bench.bob("locks", "release", "x", "--force", "--reason", "gone"))
                .isEqualTo(new Said(
                        0,
                        "",
                        "interlock: Told execution exec-1 (alice on alice-pc, token 1) to stop. Lock 'x' moves on when"
                                + " it has, at the latest at 2026-11-16T12:10:00Z.\n"));
        assertThat(bench.alice("locks", "status", "x").out())
                .contains("Status       releasing\n", "Forced       by bob: gone\n");
        assertThat(bench.bob("locks", "release", "x", "--force", "--reason", "gone", "--now"))
                .isEqualTo(new Said(
                        0,
                        "",
                        "interlock: Ended the grant of execution exec-1 (alice on alice-pc, token 1) on lock 'x'.\n"));
    }

    @Test
    void force_never_hits_a_newer_holder_than_the_one_that_was_seen() {
        acquired("x");
        bench.alice("locks", "release", "x", "--token", "1");
        bench.bob("locks", "acquire", "x", "--execution", "exec-2", "-q");
        assertThat(bench.alice("locks", "release", "x", "--force", "--reason", "stuck", "--token", "1"))
                .isEqualTo(new Said(
                        75,
                        "",
                        "interlock: Nothing was changed: lock 'x' has moved on to execution exec-2 (bob on bob-pc,"
                                + " token 2).\n"));
    }

    @Test
    void a_lock_held_for_maintenance_says_why_to_everybody() {
        assertThat(bench.alice("locks", "hold", "x", "--until", "2h", "--reason", "disk swap", "--ticket", "OPS-7"))
                .isEqualTo(new Said(
                        0,
                        "1\n",
                        "interlock: Holding lock 'x' for maintenance until 2026-11-16T14:00:00Z. End it sooner with"
                                + " interlock locks release x --token 1\n"));
        assertThat(bench.bob("locks", "acquire", "x").err())
                .contains("is held for maintenance by alice since 12:00:00Z, until 14:00:00Z: disk swap [OPS-7]");
    }

    @Test
    void maintenance_may_end_at_an_instant() {
        bench.alice("locks", "hold", "x", "--until", "2026-11-16T18:00+01:00", "--reason", "move", "-q");
        assertThat(bench.alice("locks", "status", "x").out())
                .contains("Lease until  2026-11-16T17:00:00Z (in 5h)\n", "Maintenance  move\n");
        assertThat(bench.alice("locks", "hold", "y", "--until", "2026-11-16T11:00Z", "--reason", "r")
                        .err())
                .startsWith("interlock: --until must lie in the future, and 2026-11-16T11:00Z does not.");
        assertThat(bench.alice("locks", "hold", "y", "--until", "2026-13-16T11:00Z", "--reason", "r")
                        .code())
                .isEqualTo(64);
    }

    @Test
    void history_tells_the_newest_first() {
        acquired("x");
        bench.pass(Duration.ofSeconds(30));
        bench.bob("locks", "acquire", "x", "--execution", "exec-2");
        bench.alice("locks", "release", "x", "--token", "1");
        assertThat(bench.alice("locks", "history", "x")).isEqualTo(new Said(0, """
                TIME                  EVENT     TOKEN  HOLDER             EXECUTION  HELD  DETAIL
                2026-11-16T12:00:30Z  released  1      alice on alice-pc  exec-1     30s
                2026-11-16T12:00:30Z  refused   1      bob on bob-pc      exec-2     -
                """, ""));
    }

    @Test
    void a_waiter_that_is_not_there_cannot_be_cancelled() {
        acquired("x");
        assertThat(bench.bob("locks", "cancel-wait", "x", "--ticket", "5"))
                .isEqualTo(new Said(
                        75,
                        "",
                        "interlock: No waiter with ticket 5 stands in the queue of lock 'x'; it may hold the lock by now."
                                + " See: interlock locks status x\n"));
    }
}
