package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.Workbench.Said;
import dev.interlock.core.StoreUnavailable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class UsageTest {
    private final Workbench bench = new Workbench();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "lcoks list | There is no command 'lcoks'. Did you mean 'locks'? See: interlock help",
                "locks lsit | There is no command 'locks lsit'. Did you mean 'locks list'? See: interlock help",
                "frobnicate | There is no command 'frobnicate'. See: interlock help",
                "--quick | No command was named, only options. See: interlock --help",
                "locks list --fliter x | There is no option '--fliter' here. Did you mean --filter? See: interlock locks list --help",
                "locks list x | 'x' is one word too many. See: interlock locks list --help",
                "locks list -o xml | --output takes table, json or yaml, not 'xml'. See: interlock locks list --help",
                "locks list --limit 0 | --limit takes a number between 1 and 1000, not '0'. See: interlock locks list --help",
                "locks list --limit 1e3 | --limit takes a number between 1 and 1000, not '1e3'. See: interlock locks list --help",
                "locks list --filter x=1 | --filter takes KEY=VALUE with the keys status, owner, user, execution and prefix, not 'x=1'. See: interlock locks list --help",
                "locks list --filter status=held | --filter: a status is active, releasing, released or expired, not 'held'. See: interlock locks list --help",
                "locks status | Missing required parameter: 'NAME'. See: interlock locks status --help",
                "locks status a b | 'b' is one word too many. See: interlock locks status --help",
                "locks renew x | Missing required option: '--token=TOKEN'. See: interlock locks renew --help",
                "locks renew x --token -5 | --token takes a number of at least 1, not '-5'. See: interlock locks renew --help",
                "locks renew x --token 99999999999999999999 | --token takes a number of at least 1, not '99999999999999999999'. See: interlock locks renew --help",
                "locks release x | Say which grant: --token T for your own, or --force --reason R for somebody else's. See: interlock locks release --help",
                "locks release x --token 1 --reason y | --reason and --now belong to --force. See: interlock locks release --help",
                "locks acquire x --ttl 0s | --ttl must be between 1s and 366d, not 0s. See: interlock locks acquire --help",
                "locks acquire x --ttl -1s | --ttl: '-1s' is negative; a duration is not. See: interlock locks acquire --help",
                "locks acquire x --ttl 9999999d | --ttl must be between 1s and 366d, not 9999999d. See: interlock locks acquire --help",
                "run --lock x | Say what to run, after two dashes, as in interlock run --lock NAME -- COMMAND. See: interlock run --help",
                "run -- true | Say which lock, as in interlock run --lock NAME -- COMMAND. See: interlock run --help",
                "run --lock x true | 'true' is one word too many. See: interlock run --help",
                "run --lock x --ttl 4s -- true | --ttl must be between 5s and 366d, not 4s. See: interlock run --help",
                "run --lock x --grace 20s -- true | --grace 20s does not fit into a lease of 30s: give --ttl 38s or more, or a grace of at most 16s. See: interlock run --help",
                "run --lock x --max-hold 5s -- true | --max-hold 5s leaves the command no time: stopping it takes up to 8s, so give it more than 9s. See: interlock run --help",
                "run --lock x --busy-exit-code 256 -- true | --busy-exit-code takes a number between 0 and 255, not '256'. See: interlock run --help",
                "completion tcsh | There is completion for bash, zsh and fish, not for 'tcsh'. See: interlock completion --help",
                "help frob | There is no command 'frob'. See: interlock help --help",
            })
    void what_cannot_be_understood_is_answered_with_one_sentence_and_64(String line, String sentence) {
        assertThat(bench.alice(line.split(" "))).isEqualTo(new Said(64, "", "interlock: " + sentence + "\n"));
    }

    @Test
    void the_lease_that_is_advised_for_a_grace_is_long_enough() {
        for (String grace : new String[] {"0s", "1s", "2s", "5s", "20s", "45s", "3m", "2h"}) {
            String said = bench.alice("run", "--lock", "x", "--ttl", "5s", "--grace", grace, "--", "true")
                    .err();
            if (said.contains("give --ttl ")) {
                String advised = said.replaceAll("(?s).*give --ttl (\\S+) .*", "$1");
                assertThat(bench.alice("run", "--lock", "x", "--ttl", advised, "--grace", grace, "--", "true")
                                .code())
                        .as("grace %s, lease %s", grace, advised)
                        .isEqualTo(0);
            }
        }
    }

    @Test
    void names_are_checked_before_the_store_is_asked() {
        bench.breakStore(new IllegalStateException("the store was asked"));
        for (String name :
                new String[] {"", " ", "x".repeat(513), "a\nb", "a\033[31m", "\u202Eabc", "a\uFFFDb", " x"}) {
            Said said = bench.alice("locks", "status", name);
            assertThat(said.code()).as(said.err()).isEqualTo(64);
            assertThat(said.err()).hasLineCount(1).doesNotContain("\033", "\u202E");
        }
    }

    @Test
    void identifiers_and_reasons_are_checked_too() {
        bench.breakStore(new IllegalStateException("the store was asked"));
        assertThat(bench.alice("locks", "acquire", "x", "--execution", "a\nb"))
                .isEqualTo(new Said(
                        64,
                        "",
                        "interlock: --execution must have 1 to 256 characters, none of them a control character. See:"
                                + " interlock locks acquire --help\n"));
        assertThat(bench.alice("locks", "acquire", "x", "--owner", "").code()).isEqualTo(64);
        assertThat(bench.alice("run", "--lock", "x", "--execution", "x".repeat(257), "--", "true")
                        .code())
                .isEqualTo(64);
        assertThat(bench.alice("locks", "hold", "x", "--until", "1h", "--reason", "x".repeat(1001))
                        .code())
                .isEqualTo(64);
        assertThat(bench.alice("locks", "hold", "x", "--until", "1h", "--reason", " ")
                        .code())
                .isEqualTo(64);
        assertThat(bench.alice("locks", "release", "x", "--force", "--reason", " ")
                        .code())
                .isEqualTo(64);
    }

    @Test
    void free_text_is_a_name_as_it_is() {
        for (String name :
                new String[] {"x".repeat(512), "'; DROP TABLE lock; --", "🚀 größe", "مرحبا", "../../etc", "%s%n"}) {
            assertThat(bench.alice("locks", "acquire", name, "-q")).isEqualTo(new Said(0, "1\n", ""));
            assertThat(bench.alice("locks", "status", name).out()).contains(name);
        }
    }

    @Test
    void a_name_that_looks_like_an_option_comes_after_two_dashes() {
        assertThat(bench.alice("locks", "status", "--", "--help").err())
                .isEqualTo("interlock: Lock '--help' is free: nobody has held it yet.\n");
    }

    @Test
    void common_options_may_come_before_the_command() {
        assertThat(bench.alice("--store", "locks", "locks", "list", "-o", "json")
                        .code())
                .isEqualTo(0);
        assertThat(bench.alice("--debug", "locks", "--store=x", "list", "-o", "json")
                        .code())
                .isEqualTo(0);
    }

    @ParameterizedTest
    @EnumSource(StoreUnavailable.Kind.class)
    void a_store_that_cannot_answer_is_one_sentence_with_a_code_of_its_own(StoreUnavailable.Kind kind) {
        bench.breakStore(new StoreUnavailable(kind, "The store is not well."));
        int code = switch (kind) {
            case UNREACHABLE, BUSY, READ_ONLY, RECOVERING -> 69;
            case FORBIDDEN -> 77;
            case TOO_NEW, MISCONFIGURED -> 78;
            case BROKEN -> 70;
        };
        assertThat(bench.alice("locks", "list")).isEqualTo(new Said(code, "", "interlock: The store is not well.\n"));
        assertThat(bench.alice("run", "--lock", "x", "--", "true"))
                .isEqualTo(new Said(code, "", "interlock: The store is not well.\n"));
    }

    @Test
    void a_fault_of_our_own_shows_its_trace_only_when_asked() {
        bench.breakStore(new IllegalStateException("oops"));
        assertThat(bench.alice("locks", "list"))
                .isEqualTo(new Said(
                        70,
                        "",
                        "interlock: This is a fault of Interlock itself: java.lang.IllegalStateException: oops. Run it"
                                + " again with --debug to see where, and report that.\n"));
        assertThat(bench.alice("locks", "list", "--debug").err()).contains("\tat dev.interlock.cli.");
    }

    @Test
    void text_of_others_cannot_reach_the_terminal_as_a_command() {
        bench.onTerminal();
        bench.alice("locks", "hold", "x", "--until", "1h", "--reason", "a\033]0;evil\007b");
        assertThat(bench.bob("locks", "acquire", "x").err())
                .contains("a\\u{1b}]0;evil\\u{7}b")
                .doesNotContain("\033", "\007");
        assertThat(bench.bob("locks", "status", "x").out()).contains("a\\u{1b}]0;evil\\u{7}b");
        assertThat(bench.bob("locks", "status", "x", "-o", "json").out()).contains("a\\u001b]0;evil\\u0007b");
    }

    @Test
    void a_group_without_a_verb_shows_its_page_as_an_error() {
        Said said = bench.alice("locks");
        assertThat(said.code()).isEqualTo(64);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).startsWith("NAME\n    interlock locks - ");
    }
}
