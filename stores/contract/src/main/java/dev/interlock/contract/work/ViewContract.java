package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Page;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.ExecutionFilter;
import dev.interlock.core.work.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What people are shown. */
interface ViewContract extends Work {
    @Test
    default void what_nobody_submitted_is_not_found() {
        assertThat(here().find("nobody")).isEmpty();
    }

    @Test
    default void the_newest_come_first_page_by_page() {
        List<String> submitted = IntStream.range(0, 7)
                .mapToObj(n -> submit(deploy("t-" + n)).id())
                .toList();

        List<String> seen = new ArrayList<>();
        Page.Request next = new Page.Request(null, 3);
        int pages = 0;
        while (next != null) {
            Page<Standing> page = there().list(ExecutionFilter.ALL, next);
            page.items().forEach(one -> seen.add(one.execution().id()));
            next = page.next() == null ? null : new Page.Request(page.next(), 3);
            pages++;
        }

        assertThat(seen).isEqualTo(submitted.reversed());
        assertThat(pages).isEqualTo(3);
    }

    @Test
    default void a_filter_shows_what_it_names_and_nothing_else() {
        Execution running = submit(deploy(TARGET));
        claim(runner("ada"));
        Execution waiting = submit(deploy(TARGET));
        Execution backup = submit(request("backup", OTHER));

        assertThat(listed(filter(Set.of(Phase.RUNNING), null, null, null, false)))
                .containsExactly(running.id());
        assertThat(listed(filter(Set.of(Phase.values()), TARGET, null, null, false)))
                .containsExactly(waiting.id(), running.id());
        assertThat(listed(filter(Set.of(Phase.values()), null, "backup", null, false)))
                .containsExactly(backup.id());
        assertThat(listed(filter(Set.of(Phase.values()), null, null, "carol", false)))
                .isEmpty();
    }

    @Test
    default void the_dead_letters_are_what_failed_for_good() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));
        finish(claimed, Work.failed(claimed, RetryClass.PERMANENT));
        submit(request("nobody-has-this", TARGET));
        submit(deploy(OTHER));
        complete(claim(runner("grace")));

        assertThat(listed(filter(Set.of(Phase.values()), null, null, null, true)))
                .containsExactly(claimed.execution().id());
    }

    @Test
    default void what_a_running_attempt_says_of_itself_is_shown() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));

        here().report(claimed.execution().id(), claimed.token(), "3 of 7");
        assertThat(standing(claimed.execution()).progress()).isEqualTo("3 of 7");

        here().report(claimed.execution().id(), claimed.token() - 1, "stale");
        assertThat(standing(claimed.execution()).progress()).isEqualTo("3 of 7");
    }

    @Test
    default void a_list_shows_the_place_in_line_too() {
        submit(deploy(TARGET));
        submit(deploy(TARGET));
        submit(deploy(OTHER));

        assertThat(here().list(ExecutionFilter.ALL, Page.Request.FIRST).items())
                .extracting(Standing::position)
                .containsExactly(1, 2, 1);
    }

    private List<String> listed(ExecutionFilter filter) {
        return here().list(filter, Page.Request.FIRST).items().stream()
                .map(one -> one.execution().id())
                .toList();
    }

    private static ExecutionFilter filter(
            Set<Phase> phases,
            @Nullable String target,
            @Nullable String workflow,
            @Nullable String requester,
            boolean dead) {
        return new ExecutionFilter(phases, target, workflow, requester, dead);
    }
}
